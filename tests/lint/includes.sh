#!/usr/bin/env bash
# The arrows between modules point one way: a file includes headers of its own module or of those before it.
# arguments: program, source folder
source=$2
declare -A allowed=(
  [base]="base" [math]="base math" [model]="base math model" [measure]="base math model measure" [collide]="base math model collide" [law]="base math model collide law"
  [problem]="base math model collide law problem" [solve]="base math model collide law problem solve"
  [io]="base math model law problem io" [draw]="base math model io draw" [world]="base math model collide law problem solve io world" [dist]="base math model collide law problem solve io world dist"
)
bad=0
for module in "${!allowed[@]}"; do
  while read -r file; do
    while read -r header; do
      folder=${header%%/*}
      [ "$folder" = scree ] && continue
      [ -d "$source/engine/$folder" ] || continue
      case " ${allowed[$module]} " in
      *" $folder "*) ;;
      *) echo "${file#"$source"/}: includes $header, but $module may only use: ${allowed[$module]}"; bad=1 ;;
      esac
    done < <(sed -n 's/^[[:space:]]*#[[:space:]]*include "\([^"]*\)".*/\1/p' "$file")
  done < <(find "$source/engine/$module" -name '*.[ch]' | sort)
done
# Only lua/ knows lua_State and libyaml; the library neither prints nor exits.
if grep -nE '#include *[<"](lua|lauxlib|lualib|yaml)\.h' -r "$source/engine"; then bad=1; fi
if grep -nE '(^|[^_a-z.>])(printf|puts|exit|abort)\(' -r "$source/engine" --include=*.c | grep -v '/base/assert\.c:' | grep -v '^\S*:\s*/\?\*'; then bad=1; fi
exit $bad

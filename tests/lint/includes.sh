#!/usr/bin/env bash
# Includes point one way. Between modules: a file includes headers of its own module or of those before it. Between folders of
# engine: of two folders at most one includes headers of the other, parents and their sub-folders included.
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

# Pairs of folders that still include each other. Remove a pair here, and lower `most`, when one of its folders no longer includes the
# other. No pair may be added.
most=1
exceptions='problem/contacts problem/contacts/kernels'

# Prints "A B C" for each file C of folder A that includes a header of another folder B. argument: a folder with modules
list_arrows() {
  (cd "$1" && grep -rE '^[[:space:]]*#[[:space:]]*include "' --include='*.[ch]' . | sed -nE 's#^\./([^:]*)/([^/:]*):[[:space:]]*\#[[:space:]]*include "(.*)/[^/"]*".*#\1 \3 \1/\2#p' |
    awk '$1 != $2 && $2 !~ /^scree/' | sort -u)
}
# Prints the pairs "A B", A < B, of folders that include each other. argument: as of list_arrows
list_circles() {
  list_arrows "$1" | awk '{ to[$1 " " $2] = 1 } END { for (pair in to) { split(pair, f, " "); if (f[1] < f[2] && (f[2] " " f[1]) in to) print pair } }' | sort
}

# The checker is tried on a parent and a sub-folder, and on two siblings, that include each other.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
mkdir -p "$trial/m/a" "$trial/m/b"
echo '#include "m/a/a.h"' >"$trial/m/m.c"
echo '#include "m/m.h"' >"$trial/m/a/a.c"
echo ' #  include "m/b/b.h"' >"$trial/m/a/a.h"
echo '#include "m/a/a.h"' >"$trial/m/b/b.h"
echo '#include "m/m.h"' >"$trial/m/b/b.c"
[ "$(list_circles "$trial")" = $'m m/a\nm/a m/b' ] || { echo "circles of folders were overlooked:"; list_circles "$trial"; bad=1; }

circles=$(list_circles "$source/engine")
while read -r one two; do
  [ -n "$one" ] || continue
  grep -qxF "$one $two" <<<"$exceptions" && continue
  echo "engine/$one and engine/$two include each other:"
  list_arrows "$source/engine" | awk -v a="$one" -v b="$two" '($1 == a && $2 == b) || ($1 == b && $2 == a) { print "  " $3 " includes headers of " $2 }'
  bad=1
done <<<"$circles"
while read -r pair; do
  grep -qxF "$pair" <<<"$circles" || { echo "tests/lint/includes.sh: '$pair' no longer include each other: remove the exception"; bad=1; }
done <<<"$exceptions"
if [ "$(wc -l <<<"$exceptions")" -ne $most ]; then echo "tests/lint/includes.sh: $(wc -l <<<"$exceptions") exceptions, not $most: no pair may be added"; bad=1; fi

# Only lua/ knows lua_State and libyaml; the library neither prints nor exits.
if grep -nE '#include *[<"](lua|lauxlib|lualib|yaml)\.h' -r "$source/engine"; then bad=1; fi
if grep -nE '(^|[^_a-z.>])(printf|puts|exit|abort)\(' -r "$source/engine" --include=*.c | grep -v '/base/assert\.c:' | grep -v '^\S*:\s*/\?\*'; then bad=1; fi
exit $bad

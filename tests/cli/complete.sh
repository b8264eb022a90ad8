#!/usr/bin/env bash
# Completions and the man page name every command and option that --help prints; bash completes; the program names no folder of the build;
# --version --json is JSON.
. "$(dirname "$0")/../support/cli.sh"
build=$3
for shell in bash zsh fish; do "$scree" complete $shell > $shell || fail "complete $shell: exit code $?"; done
bash -n bash || fail "bash refuses its completions"
for shell in zsh fish; do
  command -v $shell > /dev/null || continue
  $shell -n $shell || fail "$shell refuses its completions"
done
bash "$source/tools/install/man" "$scree" > page || fail "the man page"

commands=$("$scree" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<< "$commands")" -gt 15 ] || fail "--help lists few commands: $commands"
options=0
for command in $commands; do
  "$scree" "$command" --help > help || fail "$command --help"
  # the words of the list of commands stand below the usage
  words=$("$scree" --help | sed -n "/^commands:/,/^$/s/^  $command  *//p")
  grep -qxF -- "$words" help || fail "$command --help does not say: $words"
  # the lines of the command in each script
  sed -n "s/^    $command) //p" bash > of_bash
  sed -n "/^    $command) _arguments/,/;;/p" zsh > of_zsh
  grep "_from $command'" fish > of_fish
  sed -n "/^\.SS $command\$/,/^\.SS /p" page | sed 's/\\//g' > of_page
  for option in $(grep -oE '^  (-[a-zA-Z], )?--[a-z-]+' help | grep -oE -- '--[a-z-]+'); do
    options=$((options + 1))
    grep -qE -- "(^|[ '])$option( |')" of_bash || fail "bash: no $option of $command"
    grep -qE -- "(^ *('\\*')?|,)$option['}]" of_zsh || fail "zsh: no $option of $command"
    grep -qE -- " -l ${option#--} " of_fish || fail "fish: no $option of $command"
    grep -qE -- "(^  | )$option( |$)" of_page || fail "the man page: no $option of $command"
  done
  # and no others
  for option in $(grep -oE -- '--[a-z-]+' of_bash | sort -u); do
    grep -qE -- "(^  |, )$option( |$)" help || fail "bash has $option of $command, --help has not"
  done
done
[ $options -gt 100 ] || fail "only $options options were found"

. ./bash
# Prints what bash offers for the last word.
offers() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _scree
  echo "${COMPREPLY[*]}"
}
[ "$(offers scree con)" = converge ] || fail "con: $(offers scree con)"
[ "$(offers scree help dif)" = diff ] || fail "help dif: $(offers scree help dif)"
[ "$(offers scree run --fin)" = --final-checkpoint ] || fail "--fin: $(offers scree run --fin)"
[ "$(offers scree diff --fin)" = "" ] || fail "diff has no --fin: $(offers scree diff --fin)"
mkdir room && touch rock
[ "$(offers scree run --output ro)" = room ] || fail "--output takes folders: $(offers scree run --output ro)"
[ "$(offers scree run -o ro)" = room ] || fail "-o takes folders: $(offers scree run -o ro)"
[ "$(offers scree run ro)" = "" ] || fail "files are left to bash: $(offers scree run ro)"

"$scree" complete bsh > out 2> err; [ $? = 2 ] || fail "bsh is a shell"
has err "did you mean 'bash'"
"$scree" complete > out 2> err; [ $? = 2 ] || fail "no shell"
"$scree" --version --jsn > out 2> err; [ $? = 2 ] || fail "--version takes anything"
has err "takes only --json, not '--jsn'"

"$scree" --version --json > version.json || fail "--version --json: exit code $?"
if command -v python3 > /dev/null; then
  python3 - version.json "$("$scree" --version)" "$("$scree" doctor | grep ^parts)" <<'X' || fail "$(cat version.json)"
import json, sys
told = json.load(open(sys.argv[1]))
assert "scree " + told["scree"] == sys.argv[2], told
for part in ("MPI", "HDF5", "assimp", "HTTP", "XML"):  # as scree doctor says
    assert told["parts"][part] == (part in sys.argv[3].replace(",", " ").split()), part
assert all(told[k] for k in ("compiler", "system", "machine", "lua", "yaml", "zlib")), told
X
fi

# a build for gcov names its folders; sanitizers need debug information with them
grep -q '^SCREE_COVERAGE:.*=ON' "$build/CMakeCache.txt" && exit $failed
for folder in "$source" "$build"; do
  grep -aoF -m 3 -- "$folder/" "$scree" && fail "the program names $folder"
done
exit $failed

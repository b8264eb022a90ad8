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

# the scripts for bash, zsh and fish, word by word: written again from the words of --help
cat > again.py <<'PYTHON'
import re, subprocess, sys
scree = sys.argv[1]
said = lambda *words: subprocess.run([scree, *words], capture_output=True, text=True, check=True).stdout
listed = said("--help").split("commands:\n")[1].split("\n\n")[0].split("\n")
commands = [(line[2:].split()[0], line[12:]) for line in listed]
assert len(commands) > 15
names = " ".join(name for name, _ in commands)


def options_of(command):
    """[(letter, name, argument, words)]"""
    found = []
    for line in said(command, "--help").split("options:\n")[1].rstrip("\n").split("\n")[:-1]:
        left = re.fullmatch(r"  (?:-(.), )?--(\S+)(?: (\S+))? *", line[:28])
        assert left and line[28] == " ", line
        found.append((*left.groups(), line[29:]))
    return found


def quote(text, escaped, quoted="'\\''"):
    return "".join(quoted if c == "'" else "\\" * (c in escaped) + c for c in text)


bash, zsh, fish = [], [], []
for name, words in commands:
    zsh.append(f"    '{name}:{quote(words, chr(92))}'")
    fish.append(f"complete -c scree -n __fish_use_subcommand -f -a {name} -d '" + quote(words, "\\", "\\'") + "'")
for name, _ in commands:
    own, folders, rows = [], "", []
    for letter, option, argument, words in options_of(name):
        forms = ([f"-{letter}"] if letter else []) + [f"--{option}"]
        own += forms
        folders += "".join(" " + form for form in forms) * (argument == "DIR")
        head = "'*'" if "may be repeated" in words else f"'({' '.join(forms)})'" if letter else ""
        kind = {None: "", "DIR": ":_files -/", "FILE": ":_files"}.get(argument, ": ")
        form = "{" + ",".join(forms) + "}" if letter else forms[0]
        rows.append(f"{head}{form}'[{quote(words, '[]' + chr(92))}]" + (":" + quote(argument, ":" + chr(92)) if argument else "") + kind + "'")
        kind = {None: "", "DIR": " -x -a '(__fish_complete_directories)'", "FILE": " -r -F"}.get(argument, " -x")
        fish.append(f"complete -c scree -n '__fish_seen_subcommand_from {name}'" + (f" -s {letter}" if letter else "") + f" -l {option}{kind} -d '"
                    + quote(words, "\\", "\\'") + "'")
    bash.append(f"    {name}) words='{' '.join(own + ['-h', '--help'])}'; folders='{folders} ' ;;")
    rows.append("'(-h --help)'{-h,--help}'[this text]' '*:file:_files' ;;")
    zsh.append(f"    {name}) _arguments -s" + "".join(" \\\n      " + row for row in rows))
    fish.append(f"complete -c scree -n '__fish_seen_subcommand_from {name}' -s h -l help -d 'this text'")
for shell, expected in ("bash", bash), ("zsh", zsh), ("fish", fish):
    text, at = said("complete", shell), 0
    for row in expected:
        at = text.find("\n" + row + "\n", at)
        assert at >= 0, f"{shell}: not there, or not in order:\n{row}"
    # nothing else looks like such a row
    pattern = {"bash": r"^    \S+\) words=", "zsh": r"^    \S+\) _arguments -s|^    '\w+:", "fish": "_from (?!help)|subcommand -f -a (?!help)"}[shell]
    rows = len(re.findall(pattern, text, re.M))
    assert rows == len(expected) + (shell == "zsh"), (shell, rows, len(expected))
assert f"local commands='{names}'\n" in said("complete", "bash")
assert f"-n '__fish_seen_subcommand_from help' -f -a '{names}'\n" in said("complete", "fish")
PYTHON
if command -v python3 > /dev/null; then python3 again.py "$scree" || fail "the completions differ from --help"; fi

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

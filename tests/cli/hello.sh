#!/usr/bin/env bash
# docs/hello.md as a reader follows it: the files are saved and all commands entered in the printed order in an empty folder. The figures and the
# message that the page quotes are those that the program prints.
. "$(dirname "$0")/../support/cli.sh"
command -v gnuplot > /dev/null || skip "gnuplot is not installed"
page=$source/docs/hello.md

mkdir -p build/release
ln -s "$scree" build/release/scree
awk '/^```lua scene$/ { file = "ball.lua"; next } /^```lua run$/ { file = "ball_script.lua"; next } /^```/ { file = ""; next } file { print > file }' "$page"
for name in ball.lua ball_script.lua; do
  [ -s $name ] && grep -q "Save this as \`$name\`" "$page" || fail "the page has no $name"
done

grep '^    build/release/scree ' "$page" | sed 's/^ *//' > commands
[ "$(wc -l < commands)" -ge 8 ] || fail "commands of the page: $(cat commands)"
number=0
while read -r line; do
  number=$((number + 1))
  $line > "out$number" 2> "err$number" || fail "exit code $? of: $line: $(cat "err$number")"
  [ -s "err$number" ] && grep -qi 'warning\|error' "err$number" && fail "$line: $(cat "err$number")"
  for file in $(grep -o -- '-o [a-z_/.]*' <<< "$line" | cut -c4-); do [ -e "$file" ] || fail "$line makes no $file"; done
done < commands
[ "$(head -1 commands)" = "build/release/scree run ball.lua -o runs/ball" ] || fail "the first command: $(head -1 commands)"
# 5/7 m/s, and 2 m/s - 0.1 * 9.81 m/s2 * 0.5 s
grep -q '^speed \[m/s\] *0\.714286$' out1 && grep -q 'The first run prints 0\.714286\.' "$page" || fail "the first run: $(cat out1)"
grep -q '^speed \[m/s\] *1\.5095$' out2 && grep -q 'The second run prints 1\.5095\.' "$page" || fail "the second run: $(cat out2)"
[ "$(ls runs | tr '\n' ' ')" = "ball fast " ] || fail "runs: $(ls runs)"
for file in $(sed -n 's/^| `\([a-z_.]*\)` |.*/\1/p' "$page"); do [ -s "runs/ball/$file" ] || fail "the run has no $file"; done

# again: refused, and nothing is lost
build/release/scree run ball.lua -o runs/ball > out 2> err
[ $? = 2 ] || fail "a second run in the same folder: $(cat out err)"
has err "--force"
# the quoted mistake
sed '8s/radius/radus/' ball.lua > wrong && mv wrong ball.lua
build/release/scree run ball.lua -o runs/wrong > out 2> err
[ $? = 2 ] && [ "$(cat err)" = "$(sed -n 's/^    \(scree: ball.lua:8: .*\)/\1/p' "$page")" ] || fail "the message of the page is not that of the program: $(cat err)"
[ -e runs/wrong ] && fail "a wrong scene wrote files"
# pictures of the page
for picture in $(sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$page"); do [ -s "$source/docs/$picture" ] || fail "docs/$picture is missing"; done
[ "$(grep -c '^!\[' "$page")" -ge 1 ] || fail "the page has no picture"
exit $failed

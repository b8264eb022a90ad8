#!/usr/bin/env bash
# Odd places to run in: streams that are closed or full, no HOME and no environment, a TMPDIR that is not there, one CPU, a folder nobody may write
# to, another user, a language with decimal commas. A run gives the same files everywhere, or ends with a word and an exit code.
. "$(dirname "$0")/../support/cli.sh"
cat > scene.lua <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w) w:halfspace { normal = { 0, 0, 1 } } w:sphere { radius = 0.1, position = { 0, 0, 0.2 } } end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.05 },
}
LUA
echo 'print(1.5)' > print.lua
"$scree" run -q scene.lua -o straight > out 2>&1 || fail "run: $(cat out)"

# same WORDS COMMAND...: exit code 0 and the straight run's files
same() {
  local words=$1
  shift
  rm -rf run
  "$@" "$scree" run -q scene.lua -o run > out 2>&1 || fail "$words: exit code $?: $(cat out)"
  cmp -s straight/series.csv run/series.csv && "$scree" diff straight run > out 2>&1 || fail "$words: another run: $(head -c 300 out)"
}
same "no environment" env -i
same "no HOME" env -u HOME
same "no TMPDIR" env TMPDIR=/nowhere/at/all
same "an unknown language" env LC_ALL=xx_YY LANG=zz
if command -v taskset > /dev/null; then same "one CPU" taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"; fi
if command -v localedef > /dev/null && mkdir locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 > /dev/null 2>&1; then
  # the C library loses some bytes of LOCPATH, which a build with a leak checker would tell
  same "decimal commas" env LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 ASAN_OPTIONS=detect_leaks=0
fi
mkdir work && cp scene.lua work/ && (cd work && rmdir "$PWD/../gone" 2> /dev/null; mkdir ../gone && cd ../gone && rmdir ../gone && "$scree" run -q ../scene.lua -o ../elsewhere) > out 2>&1
[ -s elsewhere/run.json ] || fail "a working folder that is gone: $(cat out)"

# streams that are closed: their numbers must not become those of the run's files
for closed in '<&-' '>&-' '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  rm -rf run
  bash -c "\"$scree\" run scene.lua -o run $closed" > out 2> err
  code=$?
  case $closed in *'>&- '* | '>&-') [ $code = 4 ] ;; *) [ $code = 0 ] ;; esac || fail "$closed: exit code $code"
  cmp -s straight/series.csv run/series.csv || fail "$closed: another series"
  "$scree" info --verify run > out 2>&1 && "$scree" diff straight run > out 2>&1 || fail "$closed: the trajectory: $(head -c 300 out)"
done
# a disk that is full
if [ -e /dev/full ]; then
  for words in "info straight" "schema" "lua print.lua" "--help" "doctor" "check scene.lua" "plot straight --list" "diff straight straight"; do
    "$scree" $words > /dev/full 2> err
    code=$?
    [ $code = 4 ] && grep -q 'cannot write to the standard output' err || fail "$words > /dev/full: exit code $code: $(cat err)"
  done
fi

# a folder that may not be written to, as somebody else where this is root
mkdir closed && cp scene.lua print.lua closed/ && cp -r straight closed/run && chmod -R a+rX,a-w closed && chmod a+rx .
other=
if [ "$(id -u)" = 0 ]; then other="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi
if [ -z "$other" ] || $other "$scree" --version > /dev/null 2>&1; then
  cd closed || exit 1
  while read -r words; do
    $other "$scree" $words > ../out 2> ../err
    code=$?
    [ $code = 4 ] && [ -s ../err ] || fail "$words where nobody may write: exit code $code: $(cat ../err)"
  done <<'WORDS'
run -q scene.lua
run -q scene.lua -o other
export run --format csv -o other
plot run/series.csv kinetic -o p.svg
WORDS
  for words in "info run" "check scene.lua" "diff run run" "lua print.lua"; do
    $other "$scree" $words > ../out 2> ../err || fail "$words where nobody may write: exit code $?: $(cat ../err)"
  done
  cd ..
  chmod -R u+w closed
fi
exit $failed

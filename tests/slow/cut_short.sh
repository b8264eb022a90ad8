#!/usr/bin/env bash
# Every scene ends well when it is cut short: by the first millisecond, before most of what its report tells has happened.
. "$(dirname "$0")/../support/cli.sh"
seen=0
for scene in "$source"/scenes/*.lua; do
  [ "$(basename "$scene")" = channel_frames.lua ] && continue # a script, not a scene
  "$scree" run "$scene" -o run --force --quiet --trust --time "1 ms" > out.txt 2>&1 || stop "$scene: $(cat out.txt)"
  seen=$((seen + 1))
done
[ $seen -gt 40 ] || stop "only $seen scenes"
echo "$seen scenes end well within a millisecond"

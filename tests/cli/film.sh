#!/usr/bin/env bash
# scree film and scree plot RUN scene: pictures and films, the same bytes twice and on any number of threads; what the scene, options and addresses say;
# mistakes. Films are left out where ffmpeg is not installed.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }

cat > scene.lua <<'LUA'
return {
  title = "balls in a glass box",
  params = { count = 3 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    for k = 1, p.count do w:sphere { radius = 0.05, position = { 0.12 * k, 0, 0.1 * k }, group = k } end
    w:box { name = "pane", kind = "fixed", size = { 2, 0.01, 2 }, position = { 0.24, -0.2, 0.3 } }
    w:box { name = "far", kind = "fixed", size = { 1, 0.01, 1 }, position = { 0.24, 0.4, 0.3 } }
  end,
  output = { trajectory = { every = 0.05, fields = { "position", "velocity" } } },
  stop = { time = 0.2 },
  view = { azimuth = -80, elevation = 10, size = { 160, 120 }, range = { 0, 2 }, caption = "{count} balls" },
}
LUA
"$scree" run scene.lua -q -o run > /dev/null || fail "run"
has run/run.json '"view": {"azimuth": -80, "elevation": 10, "caption": "{count} balls", "range": [0, 2], "size": [160, 120]}'
# width and height of a PNG
size_of() { od -A n -t u1 -j 16 -N 8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }

"$scree" plot run scene -o a.png || fail "picture"
"$scree" plot run scene -o b.png --threads 1 || fail "picture on one thread"
cmp a.png b.png || fail "two pictures of one frame differ"
[ "$(size_of a.png)" = 160x120 ] || fail "the scene's size: $(size_of a.png)"
"$scree" plot run scene -o c.png --size 200x100 --color z --walls 1 --camera y || fail "options"
[ "$(size_of c.png)" = 200x100 ] || fail "size"
"$scree" plot run scene -o d.png --camera 'http://127.0.0.1:9/x#position=0.2,-3,0.5&target=0.2,0,0.2&up=0,0,1&angle=20&color=x&range=0%2C1&cut=1' || fail "address"
# captions: values replace their names, all other text is unchanged
caption() { "$scree" plot run scene -o "$1" --caption "$2" || fail "caption $2"; }
caption named.png 'b} {count} balls, at {frame}!'
caption plain.png 'b} 3 balls, at 200!'
caption bare.png '3200'
cmp named.png plain.png || fail "values of a caption"
cmp -s plain.png bare.png && fail "the plain text of a caption is lost"
for other in c.png d.png; do cmp -s a.png $other && fail "$other looks like a.png"; done

# what a picture is made of is told by words: a pane before the balls is glass, the one behind is not
"$scree" plot run scene -o pane.png --walls 1 || fail "walls"
cmp -s a.png pane.png && fail "the pane before the balls is not glass"

"$scree" film run -o pictures -q || fail "pictures"
[ "$(ls pictures | tr '\n' ' ')" = "000000.png 000001.png 000002.png 000003.png 000004.png " ] || fail "pictures: $(ls pictures)"
"$scree" film run -o two -q --frames 0:-1:4 --turn 40 || fail "turn"
[ "$(ls two | wc -l)" = 2 ] || fail "two pictures"
cmp -s pictures/000000.png two/000000.png || fail "the first picture depends on the turn"
cmp -s pictures/000004.png two/000001.png && fail "the camera does not turn"
"$scree" film run -o slow -q --speed 0.1 --fps 20 || fail "speed"
[ "$(ls slow | wc -l)" = 41 ] || fail "0.2 s at a tenth are 41 pictures, not $(ls slow | wc -l)"
"$scree" film run -o path -q --path '0:-80,10;2:0,45,2' || fail "path"
cmp -s pictures/000000.png path/000000.png || fail "the path's first camera is the scene's"
cmp -s pictures/000004.png path/000004.png && fail "the path leads nowhere"

# one grain that fell off a table leaves the picture as it is without the grain; it is counted, and does not stretch the colours
cat > lost.lua <<'LUA'
return {
  params = { lost = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 } }
    for k = 0, 8 do w:sphere { radius = 0.05, position = { 0.2 * (k % 3 - 1), 0.2 * (k // 3 - 1), 0.1 } } end
    if p.lost > 0 then w:sphere { radius = 0.05, position = { 0.7, 0, 0.1 } } end
  end,
  output = { trajectory = { every = 0.1 }, series = false },
  stop = { time = 2 },
  view = { size = { 160, 120 }, caption = "" },
}
LUA
"$scree" run lost.lua -q -o lost > /dev/null || fail "run of a lost grain"
"$scree" run lost.lua lost=0 -q -o kept > /dev/null || fail "run without it"
"$scree" plot lost scene -o lost.png 2> err.txt || fail "picture with a lost grain"
has err.txt "1 of 10 bodies is far away and not shown"
"$scree" plot kept scene -o kept.png 2> err.txt || fail "picture without one"
[ -s err.txt ] && fail "a run that lost nothing: $(cat err.txt)"
"$scree" film lost -o lost -q --frames -1:-1 2> err.txt || fail "film with a lost grain"
has err.txt "1 of 10 bodies is far away and not shown"
# everything below the words is the same picture
if command -v python3 > /dev/null; then
  (cd "$source/tests/support" && python3 -B -c "
import png, sys
lost, kept = (png.read(open(name, 'rb').read()) for name in sys.argv[1:])
sys.exit(lost[2][40:] != kept[2][40:])" "$work/lost.png" "$work/kept.png") || fail "a lost grain changes the picture of the others"
fi
if command -v gnuplot > /dev/null; then
  "$scree" plot lost snapshot --view xz -o lost.svg 2> err.txt || fail "snapshot with a lost grain"
  has err.txt "1 of 10 bodies is far away and not shown"
  has lost.svg "1 of 10 bodies is far away and not shown"
fi

# box and colour range come from all frames: a ball is away for frames 4 to 8 of 241 alone
cat > away.lua <<'LUA'
return {
  world = { dt = 1e-3, gravity = { 0, 0, 0 } },
  setup = function(w)
    for i = 0, 4 do w:sphere { radius = 0.05, position = { 0.1 * i, 0, 0 } } end
    w:sphere { name = "b", radius = 0.05, position = { 0, 0.2, 0 } }
  end,
  before_step = function(w)
    local speed = ({ [20] = 100, [30] = -100, [40] = 0 })[w:steps()]
    if speed then w:find("b"):set_velocity(0, speed, 0) end
  end,
  output = { trajectory = { steps = 5 }, series = false },
  stop = { steps = 1200 },
}
LUA
"$scree" run away.lua -q -o away > /dev/null || fail "run of a ball that comes back"
"$scree" plot away scene --frame 6 -o whole.png --caption "" || fail "picture of the ball that is away"
"$scree" plot away scene --frame 6 -o given.png --caption "" --range 0:100 || fail "picture with the range by hand"
cmp whole.png given.png || fail "the colour range is not that of all frames"
if command -v gnuplot > /dev/null; then
  "$scree" plot away snapshot --frame 6 -o away.txt || fail "snapshot of the ball that is away"
  grep -qE '^ *1\.[02] ' away.txt || fail "the window ends below the ball at y = 1.2: $(cat away.txt)"
fi

# a wall that hides grains in the first frames alone is glass in all of them
cat > empties.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w)
    w:box { kind = "fixed", size = { 1, 0.02, 1 }, position = { 0, -0.3, 0 } }
    w.state.front = {}
    for i = -1, 1 do w.state.front[i + 2] = w:sphere { radius = 0.1, position = { 0.25 * i, 0, 0 } } end
    w:sphere { radius = 0.1, position = { 0, -1, 0 } }
  end,
  before_step = function(w) if w:steps() == 50 then for _, b in ipairs(w.state.front) do b:remove() end end end,
  output = { trajectory = { steps = 10 }, series = false },
  stop = { steps = 100 },
  view = { size = { 160, 120 }, azimuth = -90, elevation = 0 },
}
LUA
# runs $1.lua, and checks that frame 0 differs from the same picture with opaque bodies
is_glass() {
  "$scree" run "$1.lua" -q -o "$1" > /dev/null || fail "run of $1"
  "$scree" plot "$1" scene --frame 0 -o glass.png || fail "picture of $1"
  "$scree" plot "$1" scene --frame 0 -o opaque.png --walls 1 || fail "picture of $1 with opaque bodies"
  ! cmp -s glass.png opaque.png || fail "the body of $1 that hides grains is opaque"
}
is_glass empties

# a large body that moves freely is glass, too, also if it comes first
cat > boulder.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w)
    w:sphere { radius = 1, position = { 0, -2, 0 } }
    for i = -2, 2 do
      for k = -2, 2 do w:sphere { radius = 0.1, position = { 0.25 * i, 0, 0.25 * k } } end
    end
  end,
  output = { trajectory = { steps = 10 }, series = false },
  stop = { steps = 10 },
  view = { size = { 160, 120 }, azimuth = -90, elevation = 0 },
}
LUA
is_glass boulder

# mistakes
wrong() { local code=$1 text=$2; shift 2; "$scree" "$@" > out.txt 2> err.txt; [ $? = "$code" ] || fail "$*: not exit $code"; has err.txt "$text"; }
wrong 2 "did you mean 'speed'" plot run scene -o x.png --color sped
wrong 2 "range is LOW:HIGH, not '3:1'" plot run scene -o x.png --range 3:1
wrong 2 "--camera is AZIMUTH,ELEVATION" plot run scene -o x.png --camera north
wrong 2 "looks along its own up direction" plot run scene -o x.png --camera 'position=0,0,1&target=0,0,0&up=0,0,1'
wrong 2 "a scene needs -o FILE.png" plot run scene
wrong 2 "scene is a picture of its own" plot run snapshot scene -o x.png
wrong 2 "keeps no spins" plot run scene -o x.png --color spin
while read -r text value; do wrong 2 "$text" plot run scene -o x.png --camera "$value"; done <<'VALUES'
size size=10,100
size size=100.5,100
size size=100
palette palette=viridiss
walls walls=2
walls walls=-1
angle angle=170
angle angle=-1
zoom zoom=0
zoom zoom=nan
range range=1,0
range range=1
target target=1,2
position position=1,2,x
up up=0,0,0
up up=1,2
frame frame=x
azimuth azimuth=1;2
VALUES
"$scree" plot run scene -o e.png --camera 'x#palette=gray&azimuth=10&elevation=5&zoom=2&walls=0.5&nobody=knows&color=&frame=1&time=0.1&caption=%41b' || fail "all keys of an address"
wrong 2 "times must grow" film run -o x --path '1:0,0;1:0,0'
wrong 2 "--path is TIME" film run -o x --path '1,0,0'
wrong 2 "--path is TIME" film run -o x --path '0:1'
# a path of the scene: cameras that stand and look somewhere, and such that do not
sed 's/view = {/view = { path = { { time = 0, position = { 0, -2, 1 }, target = { 0, 0, 0 } }, { time = 0.1, position = { 1, -2, 1 }, target = { 0.1, 0, 0 } }, { time = 0.15, zoom = 2 } },/' scene.lua > moving.lua
"$scree" run moving.lua -q -o moving > /dev/null && "$scree" film moving -o along -q || fail "a path of the scene"
[ "$(ls along | wc -l)" = 5 ] || fail "pictures along a path: $(ls along | wc -l)"
has moving/run.json '"size": [160, 120], "path": [{"time": 0, "position": [0, -2, 1], "target": [0, 0, 0]}, {"time": 0.1'
for k in 0 1 2 3; do cmp -s along/00000$k.png along/00000$((k + 1)).png && fail "the camera stands still before picture $((k + 1))"; done
# the edges of a cell are drawn: nothing else differs from the same ball without a cell under the same camera
cat > edges.lua <<'LUA'
return {
  params = { cell = false },
  world = function(p)
    return { gravity = { 0, 0, 0 }, dt = 1e-3, cell = p.cell and { size = { 1, 1, 1 }, periodic = { true, true, true } } or nil }
  end,
  setup = function(w) w:sphere { radius = 0.1, position = { 0.5, 0.5, 0.5 } } end,
  output = { trajectory = { every = 0.001 } },
  stop = { steps = 1 },
  view = { position = { 0.5, -3, 0.5 }, target = { 0.5, 0.5, 0.5 }, size = { 80, 60 }, caption = "" },
}
LUA
for cell in false true; do
  "$scree" run edges.lua cell=$cell -q -o edges-$cell > /dev/null && "$scree" plot edges-$cell scene -o edges-$cell.png || fail "a picture with cell = $cell"
done
cmp -s edges-false.png edges-true.png && fail "the edges of a cell are missing"
while read -r text view; do
  sed "s/view = {.*/view = $view,/" scene.lua > bad.lua
  wrong 2 "$text" run bad.lua -q -o bad
done <<'VIEWS'
view.size {size={10,100}}
view.size {size=3}
view.range {range={2,1}}
view.range {range={1}}
view.path {path=3}
view.path[2].time {path={{time=1},{time=1}}}
view.palette {palette="vir"}
view.zom {zom=1}
view.angle {angle=-1}
VIEWS
wrong 2 "keeps no contacts" plot run scene -o x.png --color force
wrong 2 "has frames 0 to 4" plot run scene -o x.png --frame 9
wrong 2 "frames 0 to 4" film run -o x --frames 3:9
wrong 2 "ends in none of .mp4" film run -o x.avi
wrong 2 "--path is TIME:" film run -o x --path 'then:1,2'
wrong 2 "needs -o FILE.mp4" film run
wrong 4 "opening nothing" film nothing -o x
[ -e x.png ] && fail "a mistake left a picture"
PATH=/nowhere "$scree" film run -o x.mp4 2> err.txt
[ $? = 1 ] || fail "without ffmpeg: not exit 1"
has err.txt "apt-get install ffmpeg"

command -v ffmpeg > /dev/null || skip "the films: ffmpeg is not installed"
"$scree" film run -o one.mp4 > out.txt || fail "film"
has out.txt "one.mp4: 5 pictures"
"$scree" film run -o again.mp4 -q --threads 1 || fail "film again"
cmp one.mp4 again.mp4 || fail "two films of one run differ"
[ "$(ffprobe -v error -show_entries stream=width,height,nb_frames -of csv=p=0 one.mp4)" = 160,120,5 ] || fail "the film's size"
"$scree" film run -o a.gif -q --frames 0:1 || fail "gif"
"$scree" film run -o a.webm -q --frames 0:1 || fail "webm"
[ "$(head -c 3 a.gif)" = GIF ] || fail "not a GIF"
wrong 2 "even number of pixels" film run -o x.mp4 --size 161x120
wrong 2 "even number of pixels" film run -o x.mp4 --size 160x123
wrong 4 "cannot write" film run -o no/such/folder/x.mp4
ls ./*.part 2> /dev/null && fail "parts of films are left"
exit 0

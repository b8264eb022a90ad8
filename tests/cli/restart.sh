#!/usr/bin/env bash
# Runs stopped after pseudo-random steps and resumed (8 times; slow/sweeps.sh: 20 times) equal the straight run in every bit, with one thread and with two: joints, a
# law in Lua with memory, every kind of measurement, random numbers, births, feeds and deaths. The scene asks for its own stop.
. "$(dirname "$0")/../support/cli.sh"

steps=120 restarts=${SCREE_RESTARTS:-8}
cat > scene.lua <<'LUA'
local scree = require "scree"
local feed = require "scree.feed"
scree.law.define {
  name = "weakening", base = "coulomb", params = { mu = 0.3, mu_peak = 0.7, distance = 0.002 }, state = { "slip" },
  refresh = function(p, s, c)
    s.slip = s.slip + c.slip_speed * c.dt
    p.mu = math.max(p.mu, p.mu_peak + (p.mu - p.mu_peak) * s.slip / p.distance)
  end,
}
local pit = { min = { 0, 0, 0 }, max = { 0.06, 0.06, 0.06 } }
return {
  params = { stop = -1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 15 }, correct_joints = true, losses = true },
  setup = function(w)
    w:pair { "default", "default", law = "weakening" }
    w:halfspace { name = "floor", normal = { 0, 0, 1 }, surface_velocity = { 0.05, 0, 0 } }
    for side = -1, 1, 2 do
      w:halfspace { normal = { side, 0, 0 }, position = { 0.03 - 0.03 * side, 0, 0 } }
      w:halfspace { normal = { 0, side, 0 }, position = { 0, 0.03 - 0.03 * side, 0 } }
    end
    -- a driven paddle with a loose flap in the pile
    local paddle = w:box { name = "paddle", size = { 0.04, 0.006, 0.012 }, position = { 0.03, 0.03, 0.012 } }
    local flap = w:capsule { radius = 0.003, length = 0.008, position = { 0.03, 0.03, 0.03 } }
    w:hinge { a = paddle, at = { 0.03, 0.03, 0.012 }, axis = { 0, 0, 1 }, motor = { speed = 8, force = 0.05 } }
    -- a lid on a spring and a servo, a rod that twists and swings, a string that breaks
    local lid = w:box { size = { 0.02, 0.02, 0.004 }, position = { 0.045, 0.045, 0.04 } }
    w:spring { a = lid, at = { 0.045, 0.045, 0.04 }, at_b = { 0.045, 0.045, 0.08 }, stiffness = 20, damping = 0.02, break_force = 0.3 }
    w.state.servo = w:slider { a = lid, at = { 0.045, 0.045, 0.04 }, axis = { 0, 0, 1 }, servo = { position = -0.01, stiffness = 50, damping = 0.1, force = 0.2 } }
    local rod = w:capsule { radius = 0.002, length = 0.01, position = { 0.05, 0.01, 0.04 } }
    w:ball { a = rod, at = { 0.05, 0.01, 0.048 }, axis = { 0, 0, 1 }, limits = { -0.5, 0.5 }, swing = 0.6, turn_damping = 1e-7,
      turn_servo = { turn = { 0.4, 0.2, 0 }, stiffness = 1e-4, damping = 1e-7, torque = 2e-5 } }
    w.state.arm = w:hinge { a = flap, b = paddle, at = { 0.03, 0.03, 0.02 }, axis = { 0, 1, 0 }, limits = { -1, 1 }, friction = 1e-5 }
    w:fill { region = { min = { 0, 0, 0.001 }, max = { 0.06, 0.022, 0.05 } }, spacing = 0.0105, radius = 0.0035, radius_max = 0.005, jitter = 0.1 }
    w:fill { region = { min = { 0, 0.04, 0.001 }, max = { 0.06, 0.06, 0.05 } }, spacing = 0.0105, radius = 0.004, jitter = 0.1 }
    w:ellipsoid { size = { 0.012, 0.008, 0.006 }, position = { 0.015, 0.03, 0.012 }, spin = { 20, 5, 0 } } -- rolls by itself now and then
    w.state.born = 0
    feed.create(w, { region = { min = { 0.01, 0.023, 0.057 }, max = { 0.05, 0.037, 0.06 } }, rate = 900, total = 40, velocity = { 0, 0, -0.5 }, jitter = 0.1,
      sizes = { distribution = "weibull", by = "mass", scale = 0.006, modulus = 3, min = 0.004, max = 0.009 } })
    feed.create(w, { name = "drip", region = { center = { 0.03, 0.01, 0.058 }, radius = 0.004 }, mass_rate = 0.02, every = 0.004, radius = 0.002, radius_max = 0.003 })
  end,
  before_step = function(w)
    feed.update(w)
    if w:steps() % 9 == 4 then
      w:sphere { radius = 0.003 + 0.001 * w:random(), position = { 0.02 + 0.02 * math.random(), 0.03, 0.055 } }
      w.state.born = w.state.born + 1
    end
    if w:steps() % 13 == 6 then w:remove { region = { center = { 0.06 * math.random(), 0.01, 0.01 }, radius = 0.006 } } end
    if w:steps() == 60 then w.state.arm:set_motor { speed = -3, force = 0.01 } end
  end,
  after_step = function(w, p)
    if w:steps() == p.stop then os.execute "kill -TERM $PPID" end
  end,
  measure = {
    { name = "z", type = "coordination" },
    { name = "load", type = "force", body = "floor" },
    { name = "low", type = "count", region = { max = { 0.06, 0.06, 0.01 } } },
    { name = "core", type = "stress", region = pit },
    { name = "down", type = "flow", region = { point = { 0, 0, 0.02 }, normal = { 0, 0, -1 } } },
    { name = "field", type = "profile", region = pit, cells = { 3, 3, 3 } },
    { name = "smooth", type = "fields", region = pit, cells = { 6, 6, 6 }, width = 0.012 },
    { name = "walk", type = "displacement" },
    { name = "near", type = "rdf", region = pit, reach = 0.02, bins = 10 },
    { name = "f", type = "force_distribution" },
    { name = "grains", type = "sizes", high = 0.01, bins = 8 },
    { name = "grade", type = "grading", sieves = { 0.007, 0.008, 0.009 }, target = { distribution = "uniform", by = "number", min = 0.007, max = 0.01 } },
  },
  output = { trajectory = { every = 0.005, precision = "exact", fields = { "position", "orientation", "velocity", "spin", "contacts" } },
    series = { every = 0.0005, values = function(w)
      return { born = w.state.born, fed = feed.report(w, "feed").placed, waiting = feed.report(w, "feed").waiting, dripped = feed.report(w, "drip").mass, turn = w.state.arm:position() }
    end } },
  stop = { steps = STEPS },
}
LUA
sed -i "s/STEPS/$steps/" scene.lua

lists="field.csv smooth.csv near.csv f.csv grains.csv grade.csv"
# The scene is violent, so its runs may be invalid (5): what counts here are equal bits.
ended() { [ "$1" = 0 ] || [ "$1" = 5 ]; }
"$scree" run scene.lua -o straight --quiet --trust --threads 1 > out.txt 2>&1; ended $? || stop "the straight run: $(cat out.txt)"

# same DIR: hash, series, measurements and every frame are those of the straight run
same() {
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' "$1/run.json")" ] || stop "$1: another hash"
  for file in series.csv $lists; do cmp straight/$file "$1/$file" > diff.txt || stop "$1: $(cat diff.txt)"; done
  "$scree" diff straight/trajectory.scree "$1/trajectory.scree" > diff.txt || stop "$1: $(cat diff.txt)"
}

"$scree" run scene.lua -o two --quiet --trust --threads 2 > out.txt 2>&1; ended $? || stop "two threads: $(cat out.txt)"
same two

# a linear congruential sequence gives the steps; threads before and after the stop take all four combinations
seed=12345
for trial in $(seq 0 $((restarts - 1))); do
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  at=$((1 + seed / 65536 % (steps - 1))) before=$((1 + trial % 2)) after=$((1 + trial / 2 % 2))
  "$scree" run scene.lua -o part_$trial --quiet --trust --threads $before stop=$at > out.txt 2>&1
  [ $? = 75 ] || stop "no stop after step $at: $(cat out.txt)"
  "$scree" resume part_$trial --quiet --trust --threads $after > out.txt 2>&1; ended $? || stop "resume after step $at: $(cat out.txt)"
  same part_$trial
  rm -rf part_$trial
done
echo "$restarts restarts equal the straight run"

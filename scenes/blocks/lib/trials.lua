-- Trials: finds the value of a parameter at which a structure begins to stand, by bisection in one run. Each
-- trial builds the structure anew. It fails if a block moves by more than a share of its radius.
local trials = {}

-- largest displacement of a block that stands, divided by its radius
local STILL = 5e-3

local function begin(w, build)
  local s = w.state.trial
  for _, body in ipairs(s.bodies or {}) do
    body:remove()
  end
  s.value = (s.low + s.high) / 2
  local blocks, supports = build(w, s.value)
  s.bodies, s.count, s.from, s.since = {}, #blocks, {}, w:time()
  for _, list in ipairs { blocks, supports } do
    table.move(list, 1, #list, #s.bodies + 1, s.bodies)
  end
  for i, body in ipairs(blocks) do
    s.from[i] = { body:position() }
  end
end

-- Begins the search between the values low, where the structure fails, and high, where it stands. build(w,
-- value) adds the structure and returns blocks and supports. A trial lasts for `time` [s]; the search ends at
-- the relative accuracy `accuracy`.
function trials.start(w, low, high, time, accuracy, build)
  w.state.trial = { low = low, high = high, time = time, accuracy = accuracy, number = 0 }
  begin(w, build)
end

local function has_failed(s)
  for i = 1, s.count do
    local body, from = s.bodies[i], s.from[i]
    local x, y, z = body:position()
    local way = (x - from[1]) ^ 2 + (y - from[2]) ^ 2 + (z - from[3]) ^ 2
    if way > (STILL * body:radius()) ^ 2 then return true end
  end
  return false
end

-- Judges the trial after a step, and begins the next one.
function trials.update(w, build)
  local s = w.state.trial
  if s.is_done then return end
  local failed = has_failed(s)
  if not failed and w:time() - s.since < s.time then return end
  s[failed and "low" or "high"] = s.value
  s.number = s.number + 1
  s.is_done = s.high - s.low < s.accuracy * s.high
  if not s.is_done then begin(w, build) end
end

function trials.is_done(w) return w.state.trial.is_done end

-- Returns the middle of the last interval of the bisection.
function trials.result(w) return (w.state.trial.low + w.state.trial.high) / 2 end

return trials

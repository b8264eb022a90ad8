--- Feeds grains into a region at a rate, in grains or kilograms per second, at random free places.
---
---   local feed = require "scree.feed"
---   setup:        feed.create(w, {
---                   region = { point = {0,0,0.5}, axis = {0,0,1}, radius = 0.05, length = 0.02 },
---                   rate = 200, radius = 3e-3, velocity = {0,0,-1}, total = 5000 })
---   before_step:  feed.update(w)
---
--- No grain is lost: a grain without a free place waits until it fits, and later grains wait behind it.
--- feed.report returns the number of waiting grains. The state of the feed is in w.state, so a resumed run
--- continues it.

local scree = require "scree"
local feed = {}

local passed = {
  "region",
  "radius",
  "radius_max",
  "sizes",
  "shape",
  "template",
  "velocity",
  "jitter",
  "material",
  "density",
  "group",
  "keep_out",
  "attempts",
}
local own = {
  name = "string",
  rate = "number",
  mass_rate = "number",
  total = "number",
  total_mass = "number",
  start = "number",
  every = "number",
}
local known = {
  rate = "1/s",
  mass_rate = "kg/s",
  total_mass = "kg",
  start = "s",
  every = "s",
  "total",
  "name",
  table.unpack(passed),
}

local function refuse(...) error("feed." .. string.format(...), 4) end

local function check(w, options)
  options = scree.check_keys(options, known, "feed")
  for key, value in pairs(options) do
    if own[key] and type(value) ~= own[key] then
      refuse("%s must be a %s, not a %s", key, own[key], type(value))
    end
    if own[key] == "number" and not (value >= 0 and value < math.huge) then
      refuse("%s must be finite and at least 0, not %g", key, value)
    end
  end
  if not options.rate == not options.mass_rate then
    refuse("rate, in grains a second, or mass_rate, in kg/s, must be given, not both")
  end
  if options.total and options.total_mass then refuse("total_mass: total is given too") end
  for _, other in ipairs(w.state.feeds or {}) do
    if other.name == (options.name or "feed") then
      refuse("name: there is a feed called '%s'; give this one a name of its own", other.name)
    end
  end
  return options
end

local function find(w, name)
  local feeds = w.state.feeds or {}
  if not name and #feeds == 1 then return feeds[1] end
  for _, f in ipairs(feeds) do
    if f.name == name then return f end
  end
  error(
    name and "there is no feed called '" .. tostring(name) .. "'"
      or "there are " .. #feeds .. " feeds: name one",
    3
  )
end

-- Returns the number of grains, or the mass, that the feed should have placed by now. Half a step is added to
-- the time, so that rounding errors of the time do not shift a grain by a step.
local function due(w, f)
  local elapsed = w:time() - f.since
  if elapsed < 0 then return f.due end
  local now = f.due + (f.rate or f.mass_rate) * (elapsed + 0.5 * w:dt())
  return f.mass_rate and now or math.floor(now)
end

-- Returns the number of grains and the mass [kg] that the feed should place now. Each is nil if neither the
-- rate nor a total limits it.
local function owed(w, f)
  local count, mass
  if f.rate then
    count = due(w, f) - f.placed
  else
    mass = due(w, f) - f.mass
  end
  if f.total then count = math.min(count or math.huge, f.total - f.placed) end
  if f.total_mass then mass = math.min(mass or math.huge, f.total_mass - f.mass) end
  return count, mass
end

-- Returns the table for w:insert that places `count` grains or `mass` kilograms of a feed.
local function order(f, count, mass)
  local def = { count = count and math.tointeger(count), mass = mass, stream = f.stream, first = f.placed }
  for key, value in pairs(f.grains) do
    def[key] = value
  end
  return def
end

local function insert(w, f, count, mass)
  local placed, kilograms, full = w:insert(order(f, count, mass))
  f.placed, f.mass = f.placed + placed, f.mass + kilograms
  if full then f.blocked = f.blocked + 1 end
  if f.total then f.done = f.placed >= f.total end
  -- a total mass is reached when the next grain would exceed it
  if f.total_mass then
    f.done = not full and (f.rate and placed < count or not f.rate and due(w, f) >= f.total_mass)
  end
end

--- Starts a feed and returns the plain table that describes it. Keys:
---   region, radius (and radius_max) or sizes or shape, velocity, jitter, material, density, group, keep_out,
---   attempts: as in w:insert
---   rate [1/s] or mass_rate [kg/s]
---   total (grains) or total_mass [kg]: the feed ends when this total is reached
---   start [s]: time of the first grain, by default the present time
---   every [s]: interval between insertions; each insertion places all grains that are due
---   name: required if there are several feeds
function feed.create(w, options)
  scree.check_type(w, "world", "feed.create", "first")
  options = check(w, options)
  w.state.feeds = w.state.feeds or {}
  local f = {
    name = options.name or "feed",
    stream = #w.state.feeds + 1,
    due = 0,
    since = options.start or w:time(),
    placed = 0,
    mass = 0,
    blocked = 0,
    done = false,
    last = -math.huge,
    grains = {},
  }
  for _, key in ipairs { "rate", "mass_rate", "total", "total_mass", "every" } do
    f[key] = options[key]
  end
  for _, key in ipairs(passed) do
    f.grains[key] = options[key]
  end
  -- inserts no grain, but reports mistakes in the keys of the grains now rather than when the first one is
  -- due
  w:insert(order(f, 0))
  table.insert(w.state.feeds, f)
  return f
end

--- Places the grains that are due. Call it before each step.
function feed.update(w)
  scree.check_type(w, "world", "feed.update", "first")
  local time = w:time() + 0.5 * w:dt()
  for _, f in ipairs(w.state.feeds or {}) do
    local count, mass = owed(w, f)
    if
      not f.done and (not count or count > 0) and (not mass or mass > 0)
      and time - f.last >= (f.every or 0)
    then
      f.last = w:time()
      insert(w, f, count, mass)
    end
  end
end

--- Changes the rate from now on [1/s or kg/s, like the rate in feed.create]; 0 stops the feed. Grains that
--- are already due remain due.
function feed.set_rate(w, rate, name)
  scree.check_type(w, "world", "feed.set_rate", "first")
  local f = find(w, name)
  rate = scree.quantity(rate, f.rate and known.rate or known.mass_rate, "feed.set_rate")
  if type(rate) ~= "number" or not (rate >= 0 and rate < math.huge) then
    error("feed.set_rate takes a finite number >= 0", 2)
  end
  local elapsed = math.max(0, w:time() - f.since)
  f.due, f.since = f.due + (f.rate or f.mass_rate) * elapsed, math.max(f.since, w:time())
  f[f.rate and "rate" or "mass_rate"] = rate
end

--- Returns the state of a feed as a table: placed (grains), mass [kg], waiting (due, but not placed yet:
--- grains, or kg with a mass_rate), blocked (number of updates in which a grain found no free place), done
--- (the total is reached; a total mass to within one grain).
function feed.report(w, name)
  scree.check_type(w, "world", "feed.report", "first")
  local f = find(w, name)
  local count, mass = owed(w, f)
  local waiting = f.done and 0 or f.rate and count or mass
  return {
    placed = f.placed,
    mass = f.mass,
    waiting = math.max(0, waiting),
    blocked = f.blocked,
    done = f.done,
  }
end

return feed

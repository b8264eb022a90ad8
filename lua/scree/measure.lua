-- Measurements that are declared, not programmed: the key `measure` of a scene, or of an experiment in YAML.
--
--   measure = {
--     { name = "near_exit", type = "rdf", region = {...}, reach = 2e-3, start = 0.1, every = 0.01 },
--     { name = "out", type = "flow", region = { point = {...}, normal = {...} } },
--   }
--
-- Scalars become columns NAME_... of series.csv, lists become files NAME.csv at the end, the last scalars become key figures.
-- What is summed up lies in w.state.measure or in the engine's probes, so that it survives a checkpoint.
local M = {}

-- ---- small helpers ----

local function csv(columns, lists)
  local lines = { table.concat(columns, ",") }
  for i = 1, #lists[1] do
    local row = {}
    for k = 1, #lists do row[k] = string.format("%.10g", lists[k][i]) end
    lines[#lines + 1] = table.concat(row, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Sums lists over samples in w.state.measure[name].
local function accumulate(w, name, list)
  local state = w.state.measure[name]
  state.samples = state.samples + 1
  for i = 1, #list do state.sum[i] = (state.sum[i] or 0) + list[i] end
end

local function mean(w, name)
  local state, out = w.state.measure[name], {}
  for i = 1, #state.sum do out[i] = state.sum[i] / state.samples end
  return out
end

local function pick(m, ...)
  local out = {}
  for _, key in ipairs { ... } do out[key] = m[key] end
  return out
end

-- ---- one maker per type: returns sample(), values(out), tables(out) ----

local kinds = {}

function kinds.profile(w, m)
  local p = w:profile(pick(m, "region", "cells", "group"))
  local function write(out)
    local n = { m.cells[1] or 1, m.cells[2] or 1, m.cells[3] or 1 }
    local axis, x, y, z = { p:axis(1), p:axis(2), p:axis(3) }, {}, {}, {}
    for k = 1, n[3] do
      for j = 1, n[2] do
        for i = 1, n[1] do x[#x + 1], y[#y + 1], z[#z + 1] = axis[1][i], axis[2][j], axis[3][k] end
      end
    end
    local vx, vy, vz = p:get "velocity"
    local wx, wy, wz = p:get "spin"
    out:write(m.name .. ".csv", csv({ "x", "y", "z", "count", "solid", "velocity_x", "velocity_y", "velocity_z", "spin_x", "spin_y", "spin_z", "temperature" },
      { x, y, z, p:get "count", p:get "solid", vx, vy, vz, wx, wy, wz, p:get "temperature" }))
  end
  return { sample = function() p:add() end, tables = write }
end

function kinds.rdf(w, m)
  local r
  return {
    sample = function()
      local now = w:rdf(pick(m, "region", "reach", "bins", "fit", "edges", "group"))
      if now.grains > 1 then accumulate(w, m.name, now.g) end
    end,
    tables = function(out)
      r = {}
      local g = mean(w, m.name)
      for i = 1, #g do r[i] = (i - 0.5) * m.reach / #g end
      if #g > 0 then out:write(m.name .. ".csv", csv({ "r", "g" }, { r, g })) end
    end,
  }
end

function kinds.flow(w, m)
  local f = w:flow(pick(m, "region", "group"))
  return {
    each_step = function() f:add() end,
    values = function()
      local now = f:get()
      return { inside = now.inside, entered = now.entered, left = now.left, mass_left = now.mass_left, rate_left = now.rate_left, residence = now.residence }
    end,
  }
end

function kinds.stress(w, m)
  return { values = function()
    local s = w:stress(pick(m, "region", "group"))
    return { pressure = s.pressure, xx = s.xx, yy = s.yy, zz = s.zz, xy = s.xy, xz = s.xz, yz = s.yz }
  end }
end

function kinds.coordination(w, m)
  return { values = function()
    local z = w:coordination(pick(m, "region", "group"))
    return { mean = z.mean, loaded = z.mean_loaded, grains = z.grains }
  end }
end

function kinds.count(w, m)
  return { values = function() return { grains = w:count(pick(m, "region", "group")) } end }
end

function kinds.force(w, m)
  local body = w:find(m.body)
  return { values = function()
    local f, t = w:forces_on(body)
    return { x = f[1], y = f[2], z = f[3], torque_x = t[1], torque_y = t[2], torque_z = t[3] }
  end }
end

function kinds.force_distribution(w, m)
  return {
    sample = function()
      local d = w:force_distribution(pick(m, "region", "reach", "bins", "tangential"))
      if d.contacts > 0 then accumulate(w, m.name, d.density) end
    end,
    tables = function(out)
      local density, force = mean(w, m.name), {}
      for i = 1, #density do force[i] = (i - 0.5) * (m.reach or 8) / #density end
      if #density > 0 then out:write(m.name .. ".csv", csv({ "force", "density" }, { force, density })) end
    end,
  }
end

function kinds.sizes(w, m)
  return { tables = function(out)
    local s = w:sizes(pick(m, "region", "low", "high", "bins"))
    out:write(m.name .. ".csv", csv({ "radius", "number", "mass" }, { s.radius, s.number, s.mass }))
  end }
end

function kinds.grading(w, m)
  local def = pick(m, "region", "group", "sieves", "target")
  return {
    values = function()
      local g = w:grading(def)
      return { d10 = g.d10, d50 = g.d50, d90 = g.d90, grains = g.grains, mass = g.mass, distance = g.distance }
    end,
    tables = m.sieves and function(out)
      local g = w:grading(def)
      local columns, lists = { "diameter", "by_number", "by_mass" }, { g.sieves, g.by_number, g.by_mass }
      if g.target then columns[4], lists[4] = "target", g.target end
      out:write(m.name .. ".csv", csv(columns, lists))
    end,
  }
end

-- ---- attaching to a scene ----

-- Interval of the series: what measurements take that name none.
local function series_clock(scene)
  local output = scene.output or {}
  local series = type(output.series) == "table" and output.series or {}
  if series.every then return { time = series.every } end
  if series.steps then return { steps = series.steps } end
  local stop = type(scene.stop) == "table" and scene.stop.time
  if type(stop) == "function" then return { time = function(p) return stop(p) / 1000 end } end
  if stop then return { time = stop / 1000 } end
  return { steps = 100 }
end

local function keys_of(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- Checks what a maker cannot: names, types.
local function check(list)
  local taken = {}
  for i, m in ipairs(list) do
    if type(m) ~= "table" then error("measure[" .. i .. "] must be a table") end
    if type(m.name) ~= "string" or not m.name:find "^[%w_]+$" then error("measure[" .. i .. "].name must be a word of letters, digits and _") end
    if taken[m.name] then error("measure[" .. i .. "].name: '" .. m.name .. "' is taken") end
    taken[m.name] = true
    if not kinds[m.type] then error("measure[" .. i .. "].type must be one of " .. table.concat(keys_of(kinds), ", ") .. ", not '" .. tostring(m.type) .. "'") end
  end
end

--- Wraps the callbacks of a scene table so that its list `measure` is carried out.
function M.attach(scene)
  local list, probes = scene.measure, {}
  check(list)
  local setup, before, after, report = scene.setup, scene.before_step, scene.after_step, scene.report
  scene.setup = function(w, p)
    if setup then setup(w, p) end
    w.state.measure = w.state.measure or {}
    for i, m in ipairs(list) do
      w.state.measure[m.name] = { samples = 0, sum = {} }
      probes[i] = kinds[m.type](w, m)
    end
  end

  local function ready(w, m) return w:time() >= (m.start or 0) end
  local function look(w)
    for i, m in ipairs(list) do
      if probes[i].each_step and ready(w, m) then probes[i].each_step() end
    end
  end
  scene.after_step = function(w, p)
    if after then after(w, p) end
    look(w)
  end
  -- the state that setup made is the first that is looked at
  scene.before_step = function(w, p)
    if w:steps() == 0 then look(w) end
    if before then before(w, p) end
  end

  local every = {}
  for _, entry in ipairs(scene.every or {}) do every[#every + 1] = entry end
  for i, m in ipairs(list) do
    local clock = m.every and { time = m.every } or series_clock(scene)
    clock.call = function(w)
      if probes[i].sample and ready(w, m) then probes[i].sample() end
    end
    every[#every + 1] = clock
  end
  scene.every = every

  local output = {}
  for key, value in pairs(scene.output or {}) do output[key] = value end
  if output.series ~= false then
    local series = {}
    for key, value in pairs(output.series or {}) do series[key] = value end
    local values = series.values
    series.values = function(w, p)
      local row = {}
      for key, value in pairs(values and values(w, p) or {}) do row[key] = value end
      if w:steps() == 0 then look(w) end
      for i, m in ipairs(list) do
        for key, value in pairs(probes[i].values and probes[i].values() or {}) do row[m.name .. "_" .. key] = value end
      end
      return row
    end
    output.series = series
  end
  scene.output = output

  scene.report = function(w, p, out)
    local figures = report and report(w, p, out) or {}
    for i, m in ipairs(list) do
      if probes[i].tables then probes[i].tables(out) end
      local last = probes[i].values and probes[i].values() or {}
      for _, key in ipairs(keys_of(last)) do figures[#figures + 1] = { m.name .. "_" .. key, last[key] } end
    end
    return figures
  end
end

return M

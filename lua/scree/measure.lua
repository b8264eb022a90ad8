-- Declared measurements: the key `measure` of a scene, or of an experiment in YAML.
--
--   measure = {
--     { name = "near_exit", type = "rdf", region = {...}, reach = 2e-3, start = 0.1, every = 0.01 },
--     { name = "out", type = "flow", region = { point = {...}, normal = {...} } },
--   }
--
-- Scalars become columns NAME_... of series.csv, and their last values become key figures. Lists become files
-- NAME.csv at the end. Sums over samples are in w.state.measure or in the engine's probes, so that
-- checkpoints contain them.
local scree = require "scree"
local vtk = require "scree.vtk"
local M = {}

-- ---- small helpers ----

local function csv(columns, lists)
  local lines = { table.concat(columns, ",") }
  for i = 1, #lists[1] do
    local row = {}
    for k = 1, #lists do
      row[k] = string.format("%.10g", lists[k][i])
    end
    lines[#lines + 1] = table.concat(row, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- one entry of the list ----

-- results (figures and lists) of each type of measurement, as the engine describes them
local kinds = require("scree").measurements()

-- Adds the lists of a measurement to the sums over its samples. Lists that are not averaged replace the last
-- sample.
local function add_sample(w, m, kind)
  local now, state = w:measure(m), w.state.measure[m.name]
  if now.empty then return end
  state.samples = state.samples + 1
  for _, list in ipairs(kind.lists) do
    local values, sum = now[list.field], state.sum[list.field]
    state.sum[list.field] = values
    for i = 1, list.mean and sum and #values or 0 do
      values[i] = values[i] + sum[i]
    end
  end
end

-- Returns the lists of a measurement: means over the samples, or the last sample for lists that are not
-- averaged.
local function means(w, m, kind)
  local state, out = w.state.measure[m.name], {}
  for _, list in ipairs(kind.lists) do
    local sum, mean = state.sum[list.field] or {}, {}
    for i = 1, #sum do
      mean[i] = list.mean and sum[i] / state.samples or sum[i]
    end
    out[list.field] = mean
  end
  return out
end

local function write_lists(out, m, kind, result)
  local columns, lists = {}, {}
  for _, list in ipairs(kind.lists) do
    if result[list.field] then
      columns[#columns + 1], lists[#lists + 1] = list.column, result[list.field]
    end
  end
  if #lists[1] > 0 then out:write(m.name .. ".csv", csv(columns, lists)) end
end

-- Writes the measurement "fields" as a file for ParaView: means over the samples, on the present grid.
local function write_grid(out, w, m, result)
  if #result.density == 0 then return end
  local now = w:measure(m)
  local text, ending =
    vtk.fields(setmetatable({ origin = now.origin, edges = now.edges }, { __index = result }), m.cells)
  out:write(m.name .. ending, text)
end

-- Returns the measurement m. A measurement "flow" without the key window gets the interval of the series as
-- its window.
local function with_window(w, m, interval)
  if m.type ~= "flow" or m.window then return m end
  local copy = { window = interval.time or interval.steps * w:dt() }
  for key, value in pairs(m) do
    copy[key] = value
  end
  return copy
end

-- Returns the probe of a measurement, a table of functions. sample() takes a sample, each_step() takes one
-- after each step, values() returns numbers for the series, tables(out) writes the lists. A function that the
-- type does not need is nil.
local function carry_out(w, m)
  local kind, probe, sampled = kinds[m.type], {}, false
  local object = kind.object and w:measure(m)
  for _, list in ipairs(kind.lists) do
    sampled = sampled or list.mean
  end
  local function now()
    if object then return object:get() end
    return w:measure(m)
  end
  if object then
    probe[kind.every_step and "each_step" or "sample"] = function() object:add() end
  elseif sampled then
    probe.sample = function() add_sample(w, m, kind) end
  end
  if #kind.figures > 0 then
    probe.values = function()
      local result, row = now(), {}
      for _, figure in ipairs(kind.figures) do
        row[figure.column] = result[figure.field]
      end
      return row
    end
  end
  if #kind.lists > 0 then
    probe.tables = function(out)
      local result = sampled and means(w, m, kind) or now()
      write_lists(out, m, kind, result)
      if m.type == "fields" then write_grid(out, w, m, result) end
    end
  end
  return probe
end

-- ---- attaching to a scene ----

-- Returns the interval of the series, the default interval of measurements: { time = } or { steps = }. time
-- may be a function of the parameters.
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

-- Returns the interval of the series as { time = } or { steps = }, with numbers.
local function interval_of(scene, p)
  local clock = series_clock(scene)
  local time = clock.time
  if type(time) == "function" then time = time(p) end
  return { time = time, steps = clock.steps }
end

local function keys_of(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

-- Checks the list of measurements.
local function check(list)
  local taken = {}
  if #list == 0 and next(list) ~= nil then error "measure must be a list of tables: measure = { { name =, type = } }" end
  if #list > 1000 then error("measure: at most 1000 measurements, not " .. #list) end
  for i, m in ipairs(list) do
    local what = ("measure[%d]"):format(i)
    scree.check_type(m, "table", what)
    if type(m.name) ~= "string" or not m.name:find "^[%w_]+$" then
      error(what .. ".name must be a word of letters, digits and _")
    end
    if taken[m.name] then error(("%s.name: '%s' is taken"):format(what, m.name)) end
    if #m.name > 40 then error(what .. ".name: at most 40 letters") end
    if m.name == "series" then error(what .. ".name: series.csv is a file of the run's own") end
    taken[m.name] = true
    if not kinds[m.type or ""] then
      local given = m.type == nil and "it is missing" or ("not '%s'"):format(tostring(m.type))
      error(("%s.type must be one of %s, %s"):format(what, table.concat(keys_of(kinds), ", "), given))
    end
    kinds[m.type].check(what, m)
  end
end

-- Returns whether the keys that `attach` wraps have values of the right types. If not, `attach` does nothing, and the
-- engine refuses the scene later.
local function is_sound(scene)
  for _, key in ipairs { "setup", "before_step", "after_step", "report" } do
    if scene[key] ~= nil and type(scene[key]) ~= "function" then return false end
  end
  for _, key in ipairs { "every", "output" } do
    if scene[key] ~= nil and type(scene[key]) ~= "table" then return false end
  end
  local series = (scene.output or {}).series or {}
  return type(series) == "table" and (series.values == nil or type(series.values) == "function")
end

--- Wraps the callbacks of a scene table so that they make the measurements of its list `measure`.
function M.attach(scene)
  scree.check_type(scene, "table", "measure.attach", "of a scene first", "measure")
  local list, probes, starts = scene.measure, {}, {}
  check(list)
  if not is_sound(scene) then return end
  for i, m in ipairs(list) do
    starts[i] = scree.quantity(m.start or 0, "s", "measure.start")
  end
  local setup, before, after, report = scene.setup, scene.before_step, scene.after_step, scene.report
  scene.setup = function(w, p)
    if setup then setup(w, p) end
    w.state.measure = w.state.measure or {}
    for i, m in ipairs(list) do
      w.state.measure[m.name] = { samples = 0, sum = {} }
      probes[i] = carry_out(w, with_window(w, m, interval_of(scene, p)))
    end
  end

  local function ready(w, i) return w:time() >= starts[i] end
  local function look(w)
    for i in ipairs(list) do
      if probes[i].each_step and ready(w, i) then probes[i].each_step() end
    end
  end
  scene.after_step = function(w, p)
    if after then after(w, p) end
    look(w)
  end
  -- the state after setup is the first sample
  scene.before_step = function(w, p)
    if w:steps() == 0 then look(w) end
    if before then before(w, p) end
  end

  local every = {}
  for _, entry in ipairs(scene.every or {}) do
    every[#every + 1] = entry
  end
  for i, m in ipairs(list) do
    local clock = m.every and { time = m.every } or series_clock(scene)
    clock.call = function(w)
      if probes[i].sample and ready(w, i) then probes[i].sample() end
    end
    every[#every + 1] = clock
  end
  scene.every = every

  local output = {}
  for key, value in pairs(scene.output or {}) do
    output[key] = value
  end
  if output.series ~= false then
    local series = {}
    for key, value in pairs(output.series or {}) do
      series[key] = value
    end
    local values = series.values
    series.values = function(w, p)
      local row = {}
      for key, value in pairs(values and values(w, p) or {}) do
        row[key] = value
      end
      if w:steps() == 0 then look(w) end
      for i, m in ipairs(list) do
        for key, value in pairs(probes[i].values and probes[i].values() or {}) do
          row[m.name .. "_" .. key] = value
        end
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
      for _, key in ipairs(keys_of(last)) do
        figures[#figures + 1] = { m.name .. "_" .. key, last[key] }
      end
    end
    return figures
  end
end

return M

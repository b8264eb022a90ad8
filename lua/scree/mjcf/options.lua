--- Settings of the element <option> of MJCF.

local options = {}

-- Settings of MuJoCo's solvers. They have no meaning for results that are exact.
local solver = {
  iterations = true,
  tolerance = true,
  ls_iterations = true,
  ls_tolerance = true,
  noslip_iterations = true,
  noslip_tolerance = true,
  ccd_iterations = true,
  ccd_tolerance = true,
  mpr_iterations = true,
  mpr_tolerance = true,
  sdf_iterations = true,
  sdf_initpoints = true,
  solver = true,
  jacobian = true,
  cone = true,
  impratio = true,
  apirate = true,
  timestep = true,
  gravity = true,
}

-- Flags whose value changes the motion. The value is the one that MJCF has by default.
local flags = {
  constraint = "enable",
  equality = "enable",
  frictionloss = "enable",
  limit = "enable",
  passive = "enable",
  spring = "enable",
  damper = "enable",
  filterparent = "enable",
  actuation = "enable",
  override = "disable",
}

--- Adds the settings of an element <option> to `settings`: gravity, dt, contact (false if contacts are
--- disabled). numbers(node, text, least, most, key) reads numbers; leave(node, why) lists what is left out.
function options.read(node, settings, numbers, leave)
  local a = node.attr
  if a.gravity then settings.gravity = numbers(node, a.gravity, 3, 3, "gravity") end
  if a.timestep then settings.dt = numbers(node, a.timestep, 1, 1, "timestep")[1] end
  local names = {}
  for key in pairs(a) do
    names[#names + 1] = key
  end
  table.sort(names)
  for _, key in ipairs(names) do
    if not solver[key] and not (a[key] .. " "):match "^[0.%s]+$" then leave(node, "attribute " .. key) end
  end
  for _, c in ipairs(node) do
    if c.tag == "flag" then
      options.read_flags(c, settings, leave)
    else
      leave(c)
    end
  end
end

--- Adds the settings of an element <flag>.
function options.read_flags(node, settings, leave)
  if node.attr.gravity then settings.weightless = node.attr.gravity == "disable" end
  if node.attr.contact then settings.contact = node.attr.contact ~= "disable" end
  local names = {}
  for key, value in pairs(node.attr) do
    if flags[key] and value ~= flags[key] then names[#names + 1] = key end
  end
  table.sort(names)
  for _, key in ipairs(names) do
    leave(node, "attribute " .. key)
  end
end

return options

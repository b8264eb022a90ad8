--- Settings of the elements <option> and <compiler> of MJCF.

local options = {}

--- Adds the settings of an element <option> to `settings`: gravity, magnetic, dt, weightless, no_contacts.
function options.read(reader, node, settings)
  reader:check(node, "option")
  settings.gravity = reader:list(node, node.attr, "gravity", 3, settings.gravity)
  settings.magnetic = reader:list(node, node.attr, "magnetic", 3, settings.magnetic)
  settings.dt = reader:number(node, node.attr, "timestep", settings.dt)
  for _, c in ipairs(node) do
    reader:check(c, "option/" .. c.tag)
    if c.tag == "flag" then
      if c.attr.gravity then settings.weightless = c.attr.gravity == "disable" end
      if c.attr.contact then settings.no_contacts = c.attr.contact == "disable" end
    end
  end
end

--- Adds the settings of an element <compiler> that concern masses to `settings`: mass_total, mass_min,
--- inertia_min, from_geom, groups, balance.
function options.read_masses(reader, node, settings)
  reader:check(node, "compiler")
  local a = node.attr
  for key, name in pairs { mass_total = "settotalmass", mass_min = "boundmass", inertia_min = "boundinertia" } do
    local value = reader:number(node, a, name)
    if value and value > 0 then settings[key] = value end
  end
  settings.from_geom = a.inertiafromgeom or settings.from_geom
  settings.groups = reader:list(node, a, "inertiagrouprange", 2, settings.groups)
  if a.balanceinertia == "true" then settings.balance = true end
  if a.coordinate == "global" then
    reader:fail(node, 'coordinate="global" was given up by the format and is not read')
  end
  for _, c in ipairs(node) do
    reader:check(c, "compiler/" .. c.tag)
  end
end

return options

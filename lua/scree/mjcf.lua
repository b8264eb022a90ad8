--- Reads models in MJCF, the format of MuJoCo. `scree import model.xml` calls mjcf.read with the tree of XML
--- elements.

local masks = require "scree.mjcf.masks"
local options_of = require "scree.mjcf.options"
local attributes = require "scree.mjcf.attributes"
local quaternion = require "scree.math.quaternion"
local multiply, normalised = quaternion.multiply, quaternion.normalised
local z_to, from_axes = quaternion.z_to, quaternion.from_axes
local mjcf = {}

local plain = {
  mujoco = true,
  compiler = true,
  option = true,
  default = true,
  asset = true,
  worldbody = true,
  body = true,
  geom = true,
  joint = true,
  freejoint = true,
  inertial = true,
}
--- Converts the tree of an MJCF file to a model (`scree.robot`). options.file: name of the file in messages.
--- The list `left_out` of the model names the elements that are not supported, with their lines. The root of
--- the model is a fixed link, "world", because MJCF files may have several bodies without a common base.
function mjcf.read(tree, options)
  local file = options.file or "mjcf"
  if tree.tag ~= "mujoco" then
    error(("%s:%d: an MJCF file begins with <mujoco>, not <%s>"):format(file, tree.line, tree.tag), 0)
  end
  local left_out = {}
  local function leave(node, why)
    local name = node.attr.name and (' name="%s"'):format(node.attr.name) or ""
    left_out[#left_out + 1] = ("%s:%d: <%s%s>%s"):format(
      file,
      node.line,
      node.tag,
      name,
      why and ": " .. why or ""
    )
  end
  local function fail(node, why) error(("%s:%d: <%s>: %s"):format(file, node.line, node.tag, why), 0) end
  local function numbers(node, text, least, most, key)
    local list = {}
    for word in text:gmatch "%S+" do
      local x = tonumber(word)
      if not x or x ~= x or x == math.huge or x == -math.huge then
        fail(node, ("%s: %q is not a number"):format(key, word))
      end
      list[#list + 1] = x
    end
    if #list < least or #list > most then
      fail(node, ("%s: %d numbers are needed, not %d"):format(key, least, #list))
    end
    return list
  end

  -- settings, defaults by class, meshes by name
  local degrees, order, autolimits, mesh_folder = true, "xyz", true, nil
  local from_geom, weighed_groups = "auto", { 0, 5 }
  local classes, meshes = { main = {} }, {}
  local function read_defaults(node, parent)
    local own = {}
    for tag, attr in pairs(parent) do
      own[tag] = attr
    end
    for _, c in ipairs(node) do
      if c.tag ~= "default" then
        local merged = {}
        for key, value in pairs(own[c.tag] or {}) do
          merged[key] = value
        end
        for key, value in pairs(c.attr) do
          merged[key] = value
        end
        own[c.tag] = merged
        if not attributes[c.tag] then leave(c, "a default") end
        for key in pairs(attributes[c.tag] and c.attr or {}) do
          if not attributes[c.tag][key] then leave(c, "attribute " .. key .. " of a default") end
        end
      end
    end
    classes[node.attr.class or "main"] = own
    for _, c in ipairs(node) do
      if c.tag == "default" then read_defaults(c, own) end
    end
  end
  local masses, settings, masked = {}, { gravity = { 0, 0, -9.81 }, dt = 0.002 }, {}
  local function read_masses(node)
    local a = node.attr
    local names = { mass_total = "settotalmass", mass_min = "boundmass", inertia_min = "boundinertia" }
    for key, name in pairs(names) do
      local value = a[name] and numbers(node, a[name], 1, 1, name)[1]
      if value and value > 0 then masses[key] = value end
    end
    from_geom = a.inertiafromgeom or from_geom
    if a.inertiagrouprange then
      weighed_groups = numbers(node, a.inertiagrouprange, 2, 2, "inertiagrouprange")
    end
  end
  for _, node in ipairs(tree) do
    if node.tag == "compiler" then
      degrees = node.attr.angle ~= "radian"
      order = node.attr.eulerseq or order
      autolimits = node.attr.autolimits ~= "false"
      mesh_folder = node.attr.meshdir or mesh_folder
      read_masses(node)
      if node.attr.coordinate == "global" then
        fail(node, 'coordinate="global" was given up by the format and is not read')
      end
    elseif node.tag == "option" then
      options_of.read(node, settings, numbers, leave)
    elseif node.tag == "default" then
      read_defaults(node, classes.main)
    elseif node.tag == "asset" then
      for _, c in ipairs(node) do
        if c.tag == "mesh" and c.attr.file then
          meshes[c.attr.name or c.attr.file:match "([^/]+)%.[^.]*$"] = c
        elseif c.tag ~= "texture" and c.tag ~= "material" then
          leave(c)
        end
      end
    elseif
      not plain[node.tag] and node.tag ~= "visual" and node.tag ~= "size" and node.tag ~= "statistic"
    then
      if #node == 0 then leave(node) end
      for _, c in ipairs(node) do
        leave(c, "in <" .. node.tag .. ">")
      end
    end
  end

  local function attributes_of(node, class)
    local merged = {}
    local name = node.attr.class or class or "main"
    if not classes[name] then fail(node, ("there is no default class %q"):format(name)) end
    for key, value in pairs(classes[name][node.tag] or {}) do
      merged[key] = value
    end
    for key, value in pairs(node.attr) do
      merged[key] = value
    end
    return merged
  end
  local function angle(x) return degrees and math.rad(x) or x end
  local function orientation(node, a)
    if a.quat then return (normalised(numbers(node, a.quat, 4, 4, "quat"))) end
    if a.axisangle then
      local v = numbers(node, a.axisangle, 4, 4, "axisangle")
      local n, t = normalised { v[1], v[2], v[3] }, angle(v[4]) / 2
      return { math.cos(t), math.sin(t) * n[1], math.sin(t) * n[2], math.sin(t) * n[3] }
    end
    if a.euler then
      local v, q = numbers(node, a.euler, 3, 3, "euler"), { 1, 0, 0, 0 }
      for i = 1, 3 do
        local letter, t = order:sub(i, i), angle(v[i]) / 2
        local k = ({ x = 2, y = 3, z = 4 })[letter:lower()] or fail(node, "eulerseq must name x, y and z")
        local r = { math.cos(t), 0, 0, 0 }
        r[k] = math.sin(t)
        q = letter:match "%l" and multiply(q, r) or multiply(r, q)
      end
      return q
    end
    if a.zaxis then return z_to(numbers(node, a.zaxis, 3, 3, "zaxis")) end
    if a.xyaxes then
      local v = numbers(node, a.xyaxes, 6, 6, "xyaxes")
      local x = normalised { v[1], v[2], v[3] }
      local dot = x[1] * v[4] + x[2] * v[5] + x[3] * v[6]
      local y = normalised { v[4] - dot * x[1], v[5] - dot * x[2], v[6] - dot * x[3] }
      return from_axes(
        x,
        y,
        { x[2] * y[3] - x[3] * y[2], x[3] * y[1] - x[1] * y[3], x[1] * y[2] - x[2] * y[1] }
      )
    end
    return { 1, 0, 0, 0 }
  end
  local function frame(node, a)
    return {
      position = a.pos and numbers(node, a.pos, 3, 3, "pos") or { 0, 0, 0 },
      orientation = orientation(node, a),
    }
  end

  local function mesh_shape(node, a)
    local m = meshes[a.mesh or ""]
    if not m then return leave(node, ("there is no mesh %q"):format(tostring(a.mesh))) end
    local ending = m.attr.file:lower():match "%.(%w+)$"
    if not ({ stl = true, obj = true, ply = true })[ending or ""] then
      return leave(node, m.attr.file .. " is none of STL, OBJ and PLY")
    end
    local scale = m.attr.scale and numbers(m, m.attr.scale, 3, 3, "scale") or { 1, 1, 1 }
    if scale[1] ~= scale[2] or scale[1] ~= scale[3] or scale[1] <= 0 then
      return leave(node, "its mesh has a scale that differs between axes")
    end
    return {
      type = "hull",
      file = (mesh_folder and mesh_folder .. "/" or "") .. m.attr.file,
      scale = scale[1],
    }
  end
  -- Returns the shape of a geom. weighs: the inertia of the body is the sum of its geoms. A geom without
  -- contacts is kept only if weighs.
  local function shape(node, class, weighs)
    local a = attributes_of(node, class)
    local kind = a.type or (a.mesh and "mesh") or "sphere"
    local function mask(key)
      local value = numbers(node, a[key] or "1", 1, 1, key)[1]
      return math.tointeger(value) or fail(node, key .. " must be an integer")
    end
    local type, affinity = mask "contype", mask "conaffinity"
    local ghost = type == 0 and affinity == 0
    if ghost and not (weighs and tonumber(a.mass) ~= 0 and tonumber(a.density) ~= 0) then return nil end
    for key in pairs(node.attr) do
      if not attributes.geom[key] then leave(node, "attribute " .. key) end
    end
    local s, at = nil, frame(node, a)
    local size = a.size and numbers(node, a.size, 1, 3, "size") or {}
    local function half(k) return size[k] or fail(node, ("size needs %d numbers"):format(k)) end
    if a.fromto then
      local v = numbers(node, a.fromto, 6, 6, "fromto")
      local d = { v[4] - v[1], v[5] - v[2], v[6] - v[3] }
      local _, length = normalised(d)
      at = { position = { (v[1] + v[4]) / 2, (v[2] + v[5]) / 2, (v[3] + v[6]) / 2 }, orientation = z_to(d) }
      size[2] = length / 2
    end
    if kind == "sphere" then
      s = { type = "sphere", radius = half(1) }
    elseif kind == "capsule" or kind == "cylinder" then
      s = { type = kind, radius = half(1), length = 2 * half(2) }
    elseif kind == "box" then
      s = { type = "box", size = { 2 * half(1), 2 * half(2), 2 * half(3) } }
    elseif kind == "ellipsoid" then
      s = { type = "ellipsoid", size = { 2 * half(1), 2 * half(2), 2 * half(3) } }
    elseif kind == "plane" then
      local q = at.orientation
      s = {
        type = "halfspace",
        normal = {
          2 * (q[2] * q[4] + q[1] * q[3]),
          2 * (q[3] * q[4] - q[1] * q[2]),
          1 - 2 * (q[2] ^ 2 + q[3] ^ 2),
        },
      }
      at.orientation = nil
    elseif kind == "mesh" then
      s = mesh_shape(node, a)
    else
      leave(node, ("type %q"):format(kind))
    end
    if not s then return nil end
    s.position, s.orientation = at.position, at.orientation
    if settings.contact == false then
      type, affinity = 0, 0
    end
    masked[#masked + 1] = { shape = s, type = type, affinity = affinity, node = node }
    if kind ~= "plane" and weighs then
      s.density = a.density and numbers(node, a.density, 1, 1, "density")[1] or 1000
      s.mass = a.mass and numbers(node, a.mass, 1, 1, "mass")[1]
      local group = tonumber(a.group) or 0
      if group < weighed_groups[1] or group > weighed_groups[2] then s.mass = 0 end
      if s.density < 0 then fail(node, "density must not be negative") end
      if s.mass and s.mass < 0 then fail(node, "mass must not be negative") end
    end
    return s
  end

  local model = {
    name = tree.attr.model,
    links = { { name = "world", shapes = {} } },
    joints = {},
    left_out = left_out,
    base = "fixed",
    ground = "world",
    mass_total = masses.mass_total,
    mass_min = masses.mass_min,
    inertia_min = masses.inertia_min,
    gravity = settings.weightless and { 0, 0, 0 } or settings.gravity,
    dt = settings.dt,
  }
  local function inertial(link, node)
    local a = node.attr
    local at = frame(node, a)
    link.mass = numbers(node, a.mass or fail(node, "mass is needed"), 1, 1, "mass")[1]
    link.centre = at.position
    if a.fullinertia then
      local v = numbers(node, a.fullinertia, 6, 6, "fullinertia")
      link.inertia = { v[1], v[4], v[5], v[2], v[6], v[3] }
    else
      local v = numbers(
        node,
        a.diaginertia or fail(node, "diaginertia or fullinertia is needed"),
        3,
        3,
        "diaginertia"
      )
      if v[1] + v[2] < v[3] or v[2] + v[3] < v[1] or v[3] + v[1] < v[2] then
        fail(node, "no body has such moments: each must be at most the sum of the two others")
      end
      link.inertia = { v[1], 0, 0, v[2], 0, v[3] }
    end
    link.inertia_orientation = at.orientation
  end

  local count = 0
  local function joint_of(node, a, link, parent, at)
    local kind = ({ hinge = "hinge", slide = "slider", ball = "ball", free = "free" })[a.type or "hinge"]
    if not kind then fail(node, ("there is no type of joint %q"):format(a.type)) end
    local joint = {
      name = a.name or link.name .. "_joint",
      type = kind,
      parent = parent,
      child = link.name,
      position = at.position,
      orientation = at.orientation,
    }
    if kind ~= "free" then joint.anchor = a.pos and numbers(node, a.pos, 3, 3, "pos") or { 0, 0, 0 } end
    if kind == "hinge" or kind == "slider" then
      joint.axis = normalised(a.axis and numbers(node, a.axis, 3, 3, "axis") or { 0, 0, 1 })
      if a.range and (a.limited == "true" or (a.limited ~= "false" and autolimits)) then
        local v = numbers(node, a.range, 2, 2, "range")
        joint.limits = kind == "hinge" and { angle(v[1]), angle(v[2]) } or v
      end
      if a.springref then
        local rest = numbers(node, a.springref, 1, 1, "springref")[1]
        joint.rest = kind == "hinge" and angle(rest) or rest
      end
      if a.actuatorfrcrange then
        joint.effort = numbers(node, a.actuatorfrcrange, 2, 2, "actuatorfrcrange")[2]
      end
    elseif a.range then
      leave(node, "its range")
    end
    for key, name in pairs { friction = "frictionloss", damping = "damping", stiffness = "stiffness" } do
      if a[name] and kind ~= "free" then joint[key] = numbers(node, a[name], 1, 1, name)[1] end
    end
    for key in pairs(node.attr) do
      if not attributes.joint[key] then leave(node, "attribute " .. key) end
    end
    return joint
  end
  -- Returns whether two hinges have the same point and perpendicular axes.
  local function crossed(a, b)
    local function list(text, otherwise)
      local v = {}
      for word in (text or otherwise):gmatch "%S+" do
        v[#v + 1] = tonumber(word) or 0
      end
      return v
    end
    local p, q, x, y =
      list(a.pos, "0 0 0"), list(b.pos, "0 0 0"), list(a.axis, "0 0 1"), list(b.axis, "0 0 1")
    if #p ~= 3 or #q ~= 3 or #x ~= 3 or #y ~= 3 then return false end
    local size = math.sqrt((x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2) * (y[1] ^ 2 + y[2] ^ 2 + y[3] ^ 2))
    return p[1] == q[1] and p[2] == q[2] and p[3] == q[3]
      and math.abs(x[1] * y[1] + x[2] * y[2] + x[3] * y[3]) < 1e-6 * size
  end
  -- Adds the joints of a body with its parent to the model. In MJCF several joints of one body act like a chain
  -- of massless links, and the first joint is next to the parent. Two crossed hinges become a universal joint.
  -- Other joints become such a chain.
  local static = { world = true }
  local function is_hinge(own) return (own.a.type or "hinge") == "hinge" end
  local function chain(own, link, parent, at)
    local here = { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } }
    if not static[parent] then link.avoids = { parent } end
    for i, o in ipairs(own) do
      if o.a.type == "free" then fail(o.node, "a free joint must be the only joint of its body") end
      local joint = joint_of(o.node, o.a, link, parent, i == 1 and at or here)
      if not o.a.name then joint.name = ("%s_joint_%d"):format(link.name, i) end
      if i < #own then
        joint.child = ("%s/%s"):format(link.name, joint.name)
        table.insert(model.links, #model.links, { name = joint.child, mass = 0, shapes = {} })
      end
      model.joints[#model.joints + 1] = joint
      parent = joint.child
    end
  end
  local function join(node, link, parent, at, class)
    local own = {}
    for _, c in ipairs(node) do
      if c.tag == "joint" then
        own[#own + 1] = { node = c, a = attributes_of(c, class) }
      elseif c.tag == "freejoint" then
        own[#own + 1] = { node = c, a = { type = "free", name = c.attr.name } }
      end
    end
    if #own == 0 then
      model.joints[#model.joints + 1] = {
        name = link.name .. "_weld",
        type = "fixed",
        parent = parent,
        child = link.name,
        position = at.position,
        orientation = at.orientation,
      }
      static[link.name] = static[parent]
      return
    end
    local is_universal = #own == 2 and is_hinge(own[1]) and is_hinge(own[2]) and crossed(own[1].a, own[2].a)
    if #own > 1 and not is_universal then return chain(own, link, parent, at) end
    local first = joint_of(own[1].node, own[1].a, link, parent, at)
    local collide = static[parent] and first.type ~= "free" or nil
    first.collide = collide
    if not is_universal then
      model.joints[#model.joints + 1] = first
    else
      -- the first axis is fixed in the parent, the second in the child
      local second = joint_of(own[2].node, own[2].a, link, parent, at)
      second.name, second.type, second.axis2, second.collide = first.name, "universal", first.axis, collide
      second.second = {
        limits = first.limits,
        friction = first.friction,
        damping = first.damping,
        stiffness = first.stiffness,
        rest = first.rest,
      }
      model.joints[#model.joints + 1] = second
    end
  end

  local function read_body(node, parent, class)
    class = node.attr.childclass or class
    count = count + 1
    local link = { name = node.attr.name or "body_" .. count, shapes = {} }
    model.links[#model.links + 1] = link
    join(node, link, parent, frame(node, node.attr), class)
    for key in pairs(node.attr) do
      if not attributes.body[key] then leave(node, "attribute " .. key) end
    end
    local weighs = from_geom ~= "false"
    for _, c in ipairs(node) do
      weighs = weighs and (from_geom == "true" or c.tag ~= "inertial")
    end
    if weighs then
      link.overlaps = "sum"
    else
      link.mass = 0
    end
    for _, c in ipairs(node) do
      if c.tag == "geom" then
        link.shapes[#link.shapes + 1] = shape(c, class, weighs)
      elseif c.tag == "inertial" then
        if not weighs then inertial(link, c) end
      elseif c.tag == "body" then
        read_body(c, link.name, class)
      elseif
        c.tag ~= "joint" and c.tag ~= "freejoint" and c.tag ~= "site" and c.tag ~= "camera"
        and c.tag ~= "light"
      then
        leave(c)
      end
    end
  end
  for _, node in ipairs(tree) do
    if node.tag == "worldbody" then
      for _, c in ipairs(node) do
        if c.tag == "geom" then
          table.insert(model.links[1].shapes, shape(c))
        elseif c.tag == "body" then
          read_body(c, "world")
        elseif c.tag ~= "light" and c.tag ~= "camera" and c.tag ~= "site" then
          leave(c)
        end
      end
    end
  end
  masks.apply(masked, function(node) leave(node, "its contype and conaffinity: more than 32 kinds") end)
  if #model.links == 1 then error(("%s: the model has no bodies"):format(file), 0) end
  return model
end

return mjcf

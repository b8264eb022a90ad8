--- Cracks: opening, slip and forces of the faces between blocks, from the poses of the blocks and their contacts.
---
---   local cracks = require "scree.cracks"
---   setup:                    cracks.watch(w, { tolerance = "0.1 mm" })
---   every, or after_step:     cracks.update(w)
---   series, report:           for _, face in ipairs(cracks.list(w)) do print(face.opening, face.state) end
---
--- w:contact_faces finds the faces. cracks.watch calls it in the first step of a copy of the world, an update after
--- the first step calls it in the world itself. Each of the two bodies moves its own copy of the polygon. The vector
--- between both copies of a corner has two parts: along the mean normal of the copies the opening, across it the slip.
--- A face about which two blocks rock therefore opens without a slip. All data are in w.state, so a resumed run
--- continues.
local scree = require "scree"
local polygon = require "scree.math.polygon"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local dot, sub, add, cross, scale = vector.dot, vector.sub, vector.add, vector.cross, vector.scale
local cracks = {}

-- Length of the step of the copy that finds the faces [s].
local SHORT_STEP = 1e-9

-- ---- noting the faces ----

-- Returns the text that identifies a pair of bodies or, in a cell, of body 1 and an image of body 2.
local function key_of(id1, id2, image) return id1 .. " " .. id2 .. (image and " " .. table.concat(image, " ") or "") end

-- Returns the vector from a body to its image in the cell of the world; 0 without a cell.
local function find_shift(w, image)
  local shift = { 0, 0, 0 }
  for k, row in ipairs(image and w:cell():matrix() or {}) do
    shift[k] = dot(row, image)
  end
  return shift
end

-- Returns the corners and the normal of a face in the axes of a body. shift: vector from the body to its image there.
local function attach(body, corners, normal, shift)
  local list = {}
  for i, p in ipairs(vector.relative(corners, shift)) do
    list[i] = { body:to_body(p[1], p[2], p[3]) }
  end
  return { corners = list, normal = quaternion.turn(quaternion.inverse { body:orientation() }, normal) }
end

-- Returns the name of a body in tables: the one that the user gave, or its id.
local function name_of(body) return body:name() or tostring(body:id()) end

-- Returns the faces of the contacts of the last step.
local function find_faces(w, tolerance)
  local faces = {}
  for i, face in ipairs(w:contact_faces()) do
    faces[i] = {
      body1 = face.body1,
      body2 = face.body2,
      name1 = name_of(face.body1),
      name2 = name_of(face.body2),
      area = face.area,
      joint = face.joint,
      image = face.image,
      tolerance = tolerance or face.tolerance,
      on1 = attach(face.body1, face.corners, face.normal, { 0, 0, 0 }),
      on2 = attach(face.body2, face.corners, face.normal, find_shift(w, face.image)),
    }
  end
  return faces
end

-- Returns the faces of the present poses, or nil if the world cannot be copied. The copy makes a short step without
-- gravity, which finds the contacts and has no load to solve for. The faces get the bodies of the world.
local function find_faces_ahead(w, tolerance)
  local fine, copy = pcall(w.clone, w)
  fine = fine and pcall(function()
    copy:set_gravity(0, 0, 0)
    copy:set_dt(SHORT_STEP)
    copy:step()
  end)
  if not fine then return nil end
  local faces = find_faces(copy, tolerance)
  for _, face in ipairs(faces) do
    face.body1, face.body2 = w:body_of(face.body1:id()), w:body_of(face.body2:id())
  end
  return faces
end

-- Prints a warning if blocks were added after watch.
local function check_blocks(w, state)
  local added = w:count() - state.blocks
  if added <= 0 then return end
  print(("cracks: warning: %d block%s came after cracks.watch, and the first update in step %d. Their faces are missing. "
    .. "Call cracks.watch after the last block"):format(added, added > 1 and "s" or "", w:steps()))
end

-- Returns the faces of the world. If the first update is late, returns the faces that watch found, because a face that
-- has opened has no contacts.
local function choose_faces(w, state, steps)
  if steps == 1 or state.noted then return find_faces(w, state.tolerance) end
  if not state.ahead then
    error(("cracks: cracks.watch could not copy the world, and the first update came %d steps after it. Call cracks.update in after_step"):format(steps), 5)
  end
  check_blocks(w, state)
  return #state.ahead > 0 and state.ahead or find_faces(w, state.tolerance)
end

-- Sets the faces in the first call after a step that finds any.
local function note_faces(w, state)
  local steps = w:steps() - state.start
  if steps <= 0 then return end
  local faces = choose_faces(w, state, steps)
  state.noted, state.ahead = true, nil
  if #faces == 0 then return end
  state.faces = faces
  for _, face in ipairs(faces) do
    state.laws = state.laws or face.joint ~= nil
  end
end

--- Begins to watch the faces between blocks. Call it in setup, after the last block. It makes a step of a copy of the
--- world. After the first step it prints a warning, because faces that have opened have no contacts.
function cracks.watch(w, def)
  scree.check_type(w, "world", "cracks.watch", "first")
  local o = scree.check_keys(def or {}, { tolerance = "m" }, "cracks.watch")
  if o.tolerance ~= nil and not (type(o.tolerance) == "number" and o.tolerance > 0 and o.tolerance < math.huge) then
    error("cracks.watch.tolerance must be a length greater than 0", 2)
  end
  local state = { tolerance = o.tolerance, moves = {}, start = w:steps(), blocks = w:count() }
  if state.start > 0 then
    print(("cracks: warning: cracks.watch came after %d steps. Faces that opened before are missing, and openings count from now"):format(state.start))
  end
  state.ahead = find_faces_ahead(w, state.tolerance)
  w.state.cracks = state
end

-- ---- where the faces are ----

-- Returns the corners and the normal of a face after they have moved with a body, or with its image.
local function place(body, carried, shift)
  local corners = {}
  for i, p in ipairs(carried.corners) do
    corners[i] = add({ body:to_world(p[1], p[2], p[3]) }, shift)
  end
  return corners, quaternion.turn({ body:orientation() }, carried.normal)
end

-- Returns the present geometry of a face: corners half-way between both bodies, their normal and centre, and the
-- largest opening and slip of a corner.
local function find_geometry(w, face)
  local shift = find_shift(w, face.image)
  local c1, n1 = place(face.body1, face.on1, { 0, 0, 0 })
  local c2, n2 = place(face.body2, face.on2, shift)
  local normal = add(n1, n2)
  local size = vector.length(normal)
  normal = size > 0 and scale(1 / size, normal) or n2 -- one body has turned over
  local g = { normal = normal, shift = shift, corners = {}, opening = -math.huge, slip = 0, mean_opening = 0 }
  for i, p in ipairs(c1) do
    local way = sub(p, c2[i])
    local open = dot(way, normal)
    g.corners[i] = scale(0.5, add(p, c2[i]))
    g.opening, g.mean_opening = math.max(g.opening, open), g.mean_opening + open / #c1
    g.slip = math.max(g.slip, vector.length(sub(way, scale(open, normal))))
  end
  local _, centre = polygon.area(g.corners, normal)
  g.centre = centre
  return g
end

local function is_present(face) return face.body1:alive() and face.body2:alive() end

-- Returns "open", "slipped" or "closed". A joint that is intact is closed: it has only the strain of its springs.
local function find_state(face, g)
  if face.joint == "intact" then return "closed" end
  return g.opening > face.tolerance and "open" or g.slip > face.tolerance and "slipped" or "closed"
end

-- ---- contacts of the faces ----

-- Returns the face of a pair whose normal is nearest to that of a contact.
local function find_nearest(list, normal)
  local best, most = nil, -math.huge
  for _, item in ipairs(list or {}) do
    local s = dot(item.normal, normal)
    if s > most then
      best, most = item, s
    end
  end
  return best
end

-- Adds force, moment about the centre and number of contacts of the last step to the items { face, normal, centre }.
local function add_contacts(w, items)
  local of, dt = {}, w:dt()
  for _, item in ipairs(items) do
    local key = key_of(item.face.body1:id(), item.face.body2:id(), item.face.image)
    of[key] = of[key] or {}
    table.insert(of[key], item)
    item.force, item.moment, item.contacts = { 0, 0, 0 }, { 0, 0, 0 }, 0
  end
  for c in w:contacts() do
    local item = find_nearest(of[key_of(c.id1, c.id2, c.image)], c.normal)
    if item then
      local force = scale(1 / dt, c.impulse)
      item.force, item.contacts = add(item.force, force), item.contacts + 1
      item.moment = add(item.moment, cross(sub(c.point, item.centre), force))
      item.joint = c.joint
    end
  end
end

-- Sets the state of the law of all faces. A face with the law joint and without contacts is open.
local function update_joints(items)
  for _, item in ipairs(items) do
    if item.face.joint then item.face.joint = item.joint or "open" end
  end
end

-- ---- following the faces ----

local function note_move(w, state, index, event)
  local face = state.faces[index]
  face.moves = face.moves or {}
  if face.moves[event] then return end
  face.moves[event] = w:time()
  table.insert(state.moves, { time = w:time(), event = event, face = index })
end

local events = { open = "opens", slipped = "slips" }

-- Returns the present items of all faces { face, index, state, corners, normal, centre, opening, slip, force, ... }.
-- what: name of the public function, for errors. The public function must call `follow` directly, because errors name
-- the line of its caller.
local function follow(w, contacts, what)
  scree.check_type(w, "world", what, "first")
  local state = w.state.cracks
  if not state then error("cracks.watch(w) must be called before", 3) end
  if not state.faces then note_faces(w, state) end
  local items = {}
  for i, face in ipairs(state.faces or {}) do
    if is_present(face) then
      local item = find_geometry(w, face)
      item.face, item.index = face, i
      items[#items + 1] = item
    end
  end
  if contacts or state.laws then
    add_contacts(w, items)
    update_joints(items)
  end
  for _, item in ipairs(items) do
    local face = item.face
    if face.joint and face.joint ~= "intact" then note_move(w, state, item.index, "fails") end
    item.state = find_state(face, item)
    if events[item.state] then note_move(w, state, item.index, events[item.state]) end
  end
  return items
end

--- Notes which faces have opened, slipped or failed since the last call.
function cracks.update(w) follow(w, false, "cracks.update") end

-- ---- results ----

-- Returns the point of a face through which the force passes, or nil without a force along the normal.
local function find_thrust_point(item, normal_force)
  if math.abs(normal_force) <= 1e-9 * vector.length(item.force) then return nil end
  return add(item.centre, scale(1 / normal_force, cross(item.normal, item.moment)))
end

local function make_result(item)
  local face, normal = item.face, item.normal
  item.force, item.moment = item.force or { 0, 0, 0 }, item.moment or { 0, 0, 0 }
  local normal_force = dot(item.force, normal)
  local moves = face.moves or {}
  return {
    body1 = face.body1,
    body2 = face.body2,
    name1 = face.name1,
    name2 = face.name2,
    area = face.area,
    normal = normal,
    centre = item.centre,
    corners = item.corners,
    force = item.force,
    moment = item.moment,
    normal_force = normal_force,
    shear_force = vector.length(sub(item.force, scale(normal_force, normal))),
    thrust_point = find_thrust_point(item, normal_force),
    contacts = item.contacts,
    opening = item.opening,
    mean_opening = item.mean_opening,
    slip = item.slip,
    state = item.state,
    joint = face.joint,
    image = face.image,
    shift = item.shift,
    opened_at = moves.opens,
    slipped_at = moves.slips,
    failed_at = moves.fails,
  }
end

-- Returns a list with the result of each item that `follow` returned.
local function make_results(items)
  local list = {}
  for i, item in ipairs(items) do
    list[i] = make_result(item)
  end
  return list
end

--- Returns the faces with their geometry, forces of the last step and state, in the order in which they were noted.
--- forces = false leaves the forces at 0 and is faster, because it reads no contacts.
function cracks.list(w, def)
  local o = scree.check_keys(def or {}, { "forces" }, "cracks.list")
  return make_results(follow(w, o.forces ~= false, "cracks.list"))
end

--- Returns the first opening, slip and failure of each face, in the order of time.
function cracks.moves(w)
  scree.check_type(w, "world", "cracks.moves", "first")
  local state, list = w.state.cracks, {}
  if not state then error("cracks.watch(w) must be called before", 2) end
  for i, move in ipairs(state.moves) do
    local face = state.faces[move.face]
    list[i] = { time = move.time, event = move.event, body1 = face.body1, body2 = face.body2 }
    list[i].name1, list[i].name2 = face.name1, face.name2
  end
  return list
end

-- ---- files ----

local columns = {
  { "area [m2]", "area" },
  { "normal_force [N]", "normal_force" },
  { "shear_force [N]", "shear_force" },
  { "opening [m]", "opening" },
  { "slip [m]", "slip" },
  { "opened_at [s]", "opened_at" },
  { "slipped_at [s]", "slipped_at" },
  { "failed_at [s]", "failed_at" },
}

-- Returns a text as a field of a CSV table, in quotes if necessary (RFC 4180).
local function quote(text)
  if not text:find '[,"\r\n]' then return text end
  return '"' .. text:gsub('"', '""') .. '"'
end

--- Returns the faces as a table of text with commas: a row for each face.
function cracks.csv(w)
  local list = make_results(follow(w, true, "cracks.csv"))
  local head = { "body1,body2,state,joint,x [m],y [m],z [m],nx,ny,nz" }
  for _, column in ipairs(columns) do
    head[#head + 1] = column[1]
  end
  local lines = { table.concat(head, ",") }
  for _, face in ipairs(list) do
    local row = { quote(face.name1), quote(face.name2), face.state, face.joint or "" }
    for _, v in ipairs { face.centre, face.normal } do
      row[#row + 1] = string.format("%.9g,%.9g,%.9g", v[1], v[2], v[3])
    end
    for _, column in ipairs(columns) do
      local value = face[column[2]]
      row[#row + 1] = value and string.format("%.9g", value) or ""
    end
    lines[#lines + 1] = table.concat(row, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

local states = { closed = 1, slipped = 2, open = 3 }

-- Appends an array with a number for each face.
local function put_array(lines, name, list, value)
  lines[#lines + 1] = "SCALARS " .. name .. " double 1\nLOOKUP_TABLE default"
  for _, face in ipairs(list) do
    lines[#lines + 1] = string.format("%.9g", value(face))
  end
end

--- Returns the faces as polygons, as the text of a file in VTK's legacy format.
function cracks.vtk(w)
  local list = make_results(follow(w, true, "cracks.vtk"))
  local points, polygons, size = {}, {}, 0
  for _, face in ipairs(list) do
    local row = { #face.corners }
    for _, p in ipairs(face.corners) do
      row[#row + 1] = #points
      points[#points + 1] = string.format("%.9g %.9g %.9g", p[1], p[2], p[3])
    end
    polygons[#polygons + 1], size = table.concat(row, " "), size + #row
  end
  local lines = { "# vtk DataFile Version 3.0", string.format("cracks at %.9g s", w:time()), "ASCII\nDATASET POLYDATA" }
  lines[#lines + 1] = "POINTS " .. #points .. " double"
  table.move(points, 1, #points, #lines + 1, lines)
  lines[#lines + 1] = "POLYGONS " .. #list .. " " .. size
  table.move(polygons, 1, #polygons, #lines + 1, lines)
  lines[#lines + 1] = "CELL_DATA " .. #list
  put_array(lines, "state", list, function(face) return states[face.state] end)
  for _, name in ipairs { "area", "opening", "slip", "normal_force", "shear_force" } do
    put_array(lines, name, list, function(face) return face[name] end)
  end
  put_array(lines, "normal_stress", list, function(face) return face.normal_force / face.area end)
  put_array(lines, "shear_stress", list, function(face) return face.shear_force / face.area end)
  return table.concat(lines, "\n") .. "\n"
end

return cracks

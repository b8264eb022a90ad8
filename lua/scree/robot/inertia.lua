--- Checks of moments of inertia.

local mass = require "scree.robot.mass"
local quaternion = require "scree.math.quaternion"
local inertia = {}

-- A moment may exceed the sum of the other two moments by this share, because files have rounded numbers.
local ROUNDING = 1e-6

--- Returns whether the inertia {xx, xy, xz, yy, yz, zz} is possible for a body, and the inertia to use. A
--- moment that exceeds the sum of the others by a rounding error is reduced to this sum. balances: impossible
--- moments are replaced by their mean, as balanceinertia of MJCF does.
function inertia.check(I, balances)
  local moments, axes = mass.principal(I)
  local sum, least, most = moments[1] + moments[2] + moments[3], math.huge, 1
  for i = 1, 3 do
    least = math.min(least, moments[i])
    if moments[i] > moments[most] then most = i end
  end
  local excess = 2 * moments[most] - sum
  if excess <= 0 and least >= 0 then return true, I end
  if balances and least >= 0 then
    local mean = sum / 3
    return true, { mean, 0, 0, mean, 0, mean }
  end
  if excess > ROUNDING * sum or least < -ROUNDING * sum then return false end
  for i = 1, 3 do
    moments[i] = math.max(moments[i], 0)
  end
  local j, k = most % 3 + 1, (most + 1) % 3 + 1
  -- slightly below the sum, because the rotation to other axes also rounds
  moments[most] = math.min(moments[most], (moments[j] + moments[k]) * (1 - 1e-12))
  return true, mass.from_principal(moments, axes)
end

-- Returns the sum of the lumps that a link and all links welded to it state.
local function sum_of_welds(name, frame, links, welds)
  local link = links[name]
  local own = mass.stated(link)
  local sum = own and mass.placed(own, frame)
  for _, joint in ipairs(welds[name] or {}) do
    sum = mass.add(sum, sum_of_welds(joint.child, quaternion.compose(frame, joint), links, welds))
  end
  return sum
end

-- Returns three tables: links by name, joints by the name of the link below them, and lists of welds by the
-- name of the parent.
local function index(model)
  local links, above, welds = {}, {}, {}
  for _, link in ipairs(model.links) do
    links[link.name] = link
  end
  for _, joint in ipairs(model.joints) do
    above[joint.child] = joint
    if joint.type == "fixed" then
      welds[joint.parent] = welds[joint.parent] or {}
      table.insert(welds[joint.parent], joint)
    end
  end
  return links, above, welds
end

local HERE = { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } }

--- Judges links whose own moments of inertia no body can have. Calls warn(node, why) if the link is fixed, or
--- if the sum over all links welded to it is possible. Otherwise calls refuse(node, why). suspects: elements
--- by name of the link.
function inertia.judge(model, suspects, warn, refuse)
  local links, above, welds = index(model)
  for _, link in ipairs(model.links) do
    local node = suspects[link.name]
    if node then
      local top, steps = link.name, 0
      while above[top] and above[top].type == "fixed" and steps < #model.links do
        top, steps = above[top].parent, steps + 1
      end
      local why = ("link %q: no body has such moments: each must be at most the sum of the two others"):format(link.name)
      local is_fixed = not above[top]
      if is_fixed or inertia.check(sum_of_welds(top, HERE, links, welds).inertia) then
        warn(node, why .. "; only the sum with welded links counts")
      else
        refuse(node, why)
      end
    end
  end
end

--- Judges links that move with a moment of inertia of 0. Calls warn(node, why) if another link hangs on the
--- link, because robot.build can then choose a small moment. Otherwise calls refuse(node, why). nodes:
--- elements by name of the link.
function inertia.judge_zeros(model, nodes, warn, refuse)
  local links, above, welds = index(model)
  local carries = {}
  for _, joint in ipairs(model.joints) do
    carries[joint.parent] = true
  end
  for _, link in ipairs(model.links) do
    local node, joint = nodes[link.name], above[link.name]
    if node and joint and joint.type ~= "fixed" then
      local lump = sum_of_welds(link.name, HERE, links, welds)
      local moments = mass.principal(lump.inertia)
      local least, most = math.min(table.unpack(moments)), math.max(table.unpack(moments))
      if least <= 1e-14 * most then
        local moves_all = most > 0 or mass.largest_moment(lump, joint.anchor or HERE.position) > 0
        local why = ("link %q moves, but a moment of inertia is 0"):format(link.name)
        if carries[link.name] or moves_all then
          warn(node, why .. ": robot.build gives it 1e-8 of what hangs on the joint of the link")
        else
          refuse(node, why)
        end
      end
    end
  end
end

return inertia

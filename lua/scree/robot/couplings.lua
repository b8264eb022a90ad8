--- Joints of a model that follow other joints: position = offset + ratio * position of another joint.
---
--- scree couples two joints that share a link. Joints that follow the same joint, directly or through others,
--- form a class, in which each position is a linear function of each other one. A joint may therefore follow
--- any joint of its class that shares a link with it.

local loops = require "scree.robot.loops"
local couplings = {}

local function is_plain(joint) return (joint.type == "hinge" or joint.type == "slider") and not joint.axis2 end

-- Returns the reason why a joint cannot follow another one, or nil. leader: requests by the name of the joint
-- that follows.
local function reason_against(joint, other, leader)
  if not joint or not other then return "there is no such joint" end
  if not is_plain(joint) or not (is_plain(other) or other.type == "fixed") then
    return "only hinges and sliders can be coupled"
  end
  if leader[joint.name] then return "the joint follows another joint already" end
  local name = other.name
  while leader[name] do
    name = leader[name].other.name
  end
  if name == joint.name then return "the joint would follow itself" end
end

-- Expresses the position of a request's joint by the position of the first joint of its class: start + slope
-- * position. Sets first, start and slope of the request. leader: requests by joint.
local function express(request, leader)
  if request.slope then return end
  local up = leader[request.other.name]
  if not up then
    request.first, request.slope, request.start = request.other.name, request.ratio, request.offset
    return
  end
  express(up, leader)
  request.first = up.first
  request.slope, request.start = request.ratio * up.slope, request.offset + request.ratio * up.start
end

-- Lets the joint of a request follow another joint of its class. Returns false if the joints share no link.
local function link(model, request, other, leader)
  if not loops.housing(model, request.joint, other) then return false end
  local up = leader[other.name] or { slope = 1, start = 0 }
  local ratio = request.slope / up.slope
  local offset = request.start - ratio * up.start
  request.joint.mimic = { joint = other.name, ratio = ratio, offset = offset ~= 0 and offset or nil }
  return true
end

-- Returns the joints that the joint of a request may follow: joints of its class that follow the first joint
-- already, and the first joint. The request's own leader comes first.
local function candidates(request, list, by_name)
  local first, found = by_name[request.first], {}
  for _, other in ipairs(list) do
    if other.joint.mimic and other.first == request.first then found[#found + 1] = other.joint end
  end
  if request.other == first or request.other.mimic then table.insert(found, 1, request.other) end
  if request.other ~= first then found[#found + 1] = first end
  return found
end

--- Sets `mimic` of joints. requests: list of { joint =, other = (names), ratio =, offset =, leave(why) }. If
--- scree cannot couple two joints, leave is called with the reason. A weld has the position 0 and follows
--- nothing.
function couplings.resolve(model, requests)
  local by_name, leader, list = {}, {}, {}
  for _, joint in ipairs(model.joints) do
    by_name[joint.name] = joint
    if joint.second and joint.second.name then by_name[joint.second.name] = joint end
  end
  for _, r in ipairs(requests) do
    local joint, other = by_name[r.joint or ""], by_name[r.other or ""]
    if not (joint and other and joint.type == "fixed") then
      local why = reason_against(joint, other, leader)
      if why then
        r.leave(why)
      elseif r.ratio == 0 or other.type == "fixed" then
        joint.limits = { r.offset, r.offset }
      else
        leader[joint.name] = { joint = joint, other = other, ratio = r.ratio, offset = r.offset, leave = r.leave }
        list[#list + 1] = leader[joint.name]
      end
    end
  end
  for _, request in ipairs(list) do
    express(request, leader)
  end
  local progress = true
  while progress do
    progress = false
    for _, request in ipairs(list) do
      for _, other in ipairs(request.joint.mimic and {} or candidates(request, list, by_name)) do
        if not request.joint.mimic and link(model, request, other, leader) then progress = true end
      end
    end
  end
  for _, request in ipairs(list) do
    if not request.joint.mimic then
      request.leave "scree couples only joints that share a link, directly or through other joints that follow"
    end
  end
end

return couplings

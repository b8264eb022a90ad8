--- Reads robot descriptions in URDF. `scree import robot.urdf` calls urdf.read with the tree of XML elements.

local scree = require "scree"
local couplings = require "scree.robot.couplings"
local elements = require "scree.urdf.elements"
local files = require "scree.robot.files"
local inertia = require "scree.robot.inertia"
local joints = require "scree.urdf.joints"
local links = require "scree.urdf.links"
local reader_of = require "scree.urdf.reader"
local urdf = {}

-- Reads the names of all links, and whether impossible inertias are replaced.
local function read_names(reader, tree, state)
  for _, node in ipairs(tree) do
    local compiler = node.tag == "mujoco" and reader.child(node, "compiler")
    if compiler and compiler.attr.balanceinertia == "true" then state.balances = true end
    if node.tag == "link" then reader:add_name(state.links, node) end
  end
  if next(state.links) == nil then error(("%s: the robot has no links"):format(reader.file), 0) end
end

-- Refuses a second link that hangs on no joint.
local function refuse_second_root(reader, state)
  local root
  for _, link in ipairs(state.model.links) do
    if state.links[link.name] and not state.carrier[link.name] then
      if root then
        local why = (": link %q hangs on no joint, and %q is the root"):format(link.name, root)
        reader:fail(state.links[link.name], why)
      end
      root = link.name
    end
  end
end

local function judge_inertias(reader, state)
  local function warn(node, why) reader:leave(node, why) end
  local function refuse(node, why) reader:fail(node, " " .. why) end
  inertia.judge(state.model, state.suspects, warn, function(node, why)
    local cure = '; <mujoco><compiler balanceinertia="true"/></mujoco> or --balance-inertia replaces them by their mean'
    refuse(node, why .. cure)
  end)
  inertia.judge_zeros(state.model, state.inertias, warn, refuse)
end

--- Converts the tree of a URDF file to a model (`scree.robot`). options.file: name of the file in messages.
--- options.folder: its folder. options.exists(path) and options.packages find meshes.
--- options.balance_inertia: true replaces moments of inertia that no body can have by their mean. The list
--- `left_out` of the model names the elements that are not supported, with their lines.
function urdf.read(tree, options)
  scree.check_type(tree, "table", "urdf.read", "of the file first", "tag")
  scree.check_type(options, "table", "urdf.read", "of options second")
  local reader = reader_of.new(options.file or "urdf")
  if tree.tag ~= "robot" then
    error(("%s:%d: a URDF file begins with <robot>, not <%s>"):format(reader.file, tree.line, tree.tag), 0)
  end
  local model = { name = tree.attr.name, links = {}, joints = {}, left_out = reader.warnings }
  local state = {
    model = model,
    find = files.finder(options),
    balances = options.balance_inertia,
    links = {},
    joints = {},
    inner = {},
    carrier = {},
    couplings = {},
    inertias = {},
    suspects = {},
  }
  read_names(reader, tree, state)
  elements.check_robot(tree, function(node, why) reader:leave(node, why) end)
  for _, node in ipairs(tree) do
    if node.tag == "link" then
      links.read(reader, node, state)
    elseif node.tag == "joint" then
      joints.read(reader, node, state)
    end
  end
  refuse_second_root(reader, state)
  couplings.resolve(model, state.couplings)
  judge_inertias(reader, state)
  links.refuse_massless(reader, model, state.links)
  return model
end

return urdf

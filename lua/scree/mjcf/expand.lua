--- Expands an MJCF tree before it is read: <include>, <frame>, <replicate> and <attach> become plain
--- elements.

local quaternion = require "scree.math.quaternion"
local compose = quaternion.compose

local expand = {}

local FILES, COPIES, DEPTH = 1000, 50000, 50 -- limits: files, elements made by copying, nested files

-- Attributes that name elements of the same model. In attached models these names get a prefix.
local NAMES = {}
for word in
  ([[name class childclass dclass mesh material hfield joint joint1 joint2 jointinparent body body1 body2 site site1 site2
    geom geom1 geom2 tendon tendon1 tendon2 actuator target cranksite slidersite refsite sidesite objname refname
    model]]):gmatch "%S+"
do
  NAMES[word] = true
end

local function folder_of(path) return path:match "^(.*)/[^/]*$" or "." end

-- Returns a path relative to a folder.
local function join(folder, path)
  if path:sub(1, 1) == "/" or folder == "." then return path end
  return folder .. "/" .. path
end

local function visit(node, action)
  action(node)
  for _, c in ipairs(node) do
    visit(c, action)
  end
end

-- Returns a copy of an element of a <replicate>.
local function copy_tree(node, state, replicate)
  state.copies = state.copies + 1
  if state.copies > COPIES then
    state.reader:fail(replicate, ("all replicates together make more than %d elements"):format(COPIES))
  end
  local copy = {}
  for key, value in pairs(node) do
    copy[key] = value
  end
  copy.attr = {}
  for key, value in pairs(node.attr) do
    copy.attr[key] = value
  end
  for i, c in ipairs(node) do
    copy[i] = copy_tree(c, state, replicate)
  end
  return copy
end

-- Returns the root element of the file at `path`. node: the element that names the file. Stores the name of
-- the file in all its elements.
local function open(node, path, state)
  state.files = state.files + 1
  if state.files > FILES or state.depth >= DEPTH then state.reader:fail(node, "too many files, or a circle of files") end
  if not state.parse then state.reader:fail(node, "files cannot be read here") end
  local tree, why = state.parse(path)
  if not tree then state.reader:fail(node, why) end
  local folder = folder_of(path)
  visit(tree, function(n)
    n.file, n.folder = path, folder
  end)
  return tree
end

-- Replaces child i of a node by the elements of a list.
local function replace_child(node, i, list)
  table.remove(node, i)
  for k, c in ipairs(list) do
    table.insert(node, i + k - 1, c)
  end
end

-- Replaces each <include> below a node by the elements of its file. The path is relative to the folder of the
-- main file or, if no such file exists, to the folder of the including file.
local function include(node, state)
  local i = 1
  while i <= #node do
    local c = node[i]
    if c.tag == "include" then
      local name = c.attr.file or state.reader:fail(c, "file is needed")
      local path = join(state.folder, name)
      if not state.exists(path) and c.folder then path = join(c.folder, name) end
      state.depth = state.depth + 1
      local tree = open(c, path, state)
      visit(tree, function(n)
        n.folder = state.folder
        if c.attr.prefix then n.attr.name = n.attr.name and c.attr.prefix .. n.attr.name end
      end)
      include(tree, state)
      state.depth = state.depth - 1
      replace_child(node, i, tree)
      i = i + #tree
    else
      include(c, state)
      i = i + 1
    end
  end
end

-- Returns the first section of a tag. Adds an empty one if there is none.
local function section(tree, tag)
  for _, c in ipairs(tree) do
    if c.tag == tag then return c end
  end
  local made = { tag = tag, attr = {}, line = tree.line, file = tree.file }
  tree[#tree + 1] = made
  return made
end

-- Returns the body or frame with a name.
local function find(node, tag, name)
  for _, c in ipairs(node) do
    if c.tag == tag and c.attr.name == name then return c end
    local inner = (c.tag == "body" or c.tag == "frame" or c.tag == "replicate") and find(c, tag, name)
    if inner then return inner end
  end
end

-- Adds a prefix and a suffix to all names in an attached model. Its elements keep the settings of its own
-- <compiler>.
local function rename(sub, prefix, suffix, settings)
  visit(sub, function(n)
    n.compiler = n.compiler or settings
    if n.tag == "mesh" and n.attr.file and not n.attr.name then
      n.attr.name = n.attr.file:match "([^/]+)%.[^.]*$" -- assets.read derives the same name
    end
    for key, value in pairs(n.attr) do
      if NAMES[key] and n.tag ~= "compiler" and value ~= "world" then
        n.attr[key] = prefix .. value .. (key:match "class$" and "" or suffix)
      end
    end
  end)
end

-- Returns the elements that replace <attach>: one body of another model, or all its bodies. Moves the other
-- sections of that model, except keyframes and options, to the main tree.
local function attached(tree, node, state)
  local file = state.models[node.attr.model or ""]
  if not file then state.reader:fail(node, ("there is no model %q among the assets"):format(node.attr.model or "")) end
  local path = join(file.folder or state.folder, file.attr.file or state.reader:fail(file, "file is needed"))
  state.depth = state.depth + 1
  local sub = open(file, path, state)
  local prefix = node.attr.prefix or ""
  local tag = node.attr.body and "body" or node.attr.frame and "frame"
  local settings = { degrees = true, order = "xyz", autolimits = true, main = prefix .. "main" }
  local outer_folder, outer_models = state.folder, state.models
  state.folder = folder_of(path)
  expand.run(sub, state, true)
  for name, asset in pairs(state.models) do
    outer_models[prefix .. name] = asset
  end
  state.folder, state.models = outer_folder, outer_models
  state.depth = state.depth - 1
  for _, c in ipairs(sub) do
    if c.tag == "compiler" then state.reader.add_compiler(settings, c) end
  end
  local suffix = node.suffix or ""
  rename(sub, prefix, suffix, settings)
  local world, result = section(sub, "worldbody"), {}
  if tag then
    result[1] = find(world, tag, prefix .. node.attr[tag] .. suffix)
      or state.reader:fail(node, ("the model has no %s %q"):format(tag, node.attr[tag]))
  else
    for i, c in ipairs(world) do
      result[i] = c
    end
  end
  section(sub, "default")
  local key = path .. "\n" .. prefix .. "\n" .. suffix
  if state.merged[key] then return result end
  state.merged[key] = true
  for _, c in ipairs(sub) do
    if c.tag == "default" then
      c.attr.class = prefix .. "main"
      table.insert(tree, 1, c)
    elseif c.tag ~= "worldbody" and c.tag ~= "option" and c.tag ~= "compiler" and c.tag ~= "keyframe" then
      local target = section(tree, c.tag)
      for _, inner in ipairs(c) do
        target[#target + 1] = inner
      end
    end
  end
  return result
end

-- Returns the copies of the children of <replicate>. Each copy has its own frame and its own names.
local function replicas(node, state)
  local r, list = state.reader, {}
  local count = math.tointeger(r:number(node, node.attr, "count") or r:fail(node, "count is needed"))
  if not count or count < 0 or count > COPIES then
    r:fail(node, ("count must be a whole number from 0 to %d"):format(COPIES))
  end
  local offset, euler = r:list(node, node.attr, "offset", 3, { 0, 0, 0 }), r:list(node, node.attr, "euler", 3, { 0, 0, 0 })
  local digits, at = #tostring(math.max(count - 1, 0)), { 0, 0, 0 }
  for i = 0, count - 1 do
    local frame = { position = at, orientation = r:euler(node, { i * euler[1], i * euler[2], i * euler[3] }) }
    local suffix = (node.attr.sep or "") .. ("%0" .. digits .. "d"):format(i)
    local shell = { tag = "frame", attr = { childclass = node.attr.childclass }, line = node.line, file = node.file }
    shell.inner, shell.compiler, shell.outer = frame, node.compiler, node.outer
    for k, c in ipairs(node) do
      shell[k] = copy_tree(c, state, node)
      visit(shell[k], function(n)
        n.attr.name = n.attr.name and n.attr.name .. suffix
        n.suffix = (n.suffix or "") .. suffix -- suffix for names of models that <attach> adds later
      end)
    end
    list[#list + 1] = shell
    at = compose(frame, { position = offset }).position
  end
  return list
end

-- Returns the elements that replace a <frame>. Each gets the frame as `outer`.
local function framed(node, state)
  state.reader:check(node, "frame")
  local own = state.reader:frame(node, node.attr) -- includes node.outer
  if node.inner then own = node.outer and compose(node.outer, node.inner) or node.inner end
  for _, c in ipairs(node) do
    c.outer = own
    if node.attr.childclass and not c.attr.class and not c.attr.childclass then
      c.attr[(c.tag == "body" or c.tag == "frame") and "childclass" or "class"] = node.attr.childclass
    end
  end
  return node
end

-- Returns the elements that replace <frame>, <replicate> or <attach>; nil for other elements.
local function replaced(tree, node, state)
  if node.tag == "frame" then return framed(node, state) end
  if node.tag == "replicate" then
    state.reader:check(node, "replicate")
    return replicas(node, state)
  end
  if node.tag ~= "attach" then return nil end
  state.reader:check(node, "body/attach")
  local list = attached(tree, node, state)
  for _, c in ipairs(list) do
    c.outer = node.outer
  end
  return list
end

-- Replaces <frame>, <replicate> and <attach> below a body by plain elements.
local function flatten(tree, node, state)
  local plain = {}
  local function add(list)
    for _, c in ipairs(list) do
      local inner = replaced(tree, c, state)
      if inner then
        add(inner)
      else
        if c.tag == "body" then flatten(tree, c, state) end
        plain[#plain + 1] = c
      end
    end
  end
  add(node)
  for i = 1, math.max(#node, #plain) do
    node[i] = plain[i]
  end
end

--- Expands a tree in place. state: reader; parse(path), which returns a root element, or nil and a reason;
--- exists(path); folder of the main file. is_attached: the tree belongs to an attached model, so <frame>,
--- <replicate> and <attach> are not expanded yet.
function expand.run(tree, state, is_attached)
  state.files, state.copies, state.depth = state.files or 0, state.copies or 0, state.depth or 0
  state.merged, state.models = state.merged or {}, {}
  include(tree, state)
  for _, c in ipairs(tree) do
    for _, asset in ipairs(c.tag == "asset" and c or {}) do
      if asset.tag == "model" then
        asset.folder = state.folder
        if asset.attr.name then
          state.models[asset.attr.name] = asset
        else
          -- a model without a name in <asset> has the name that its own file states
          local sub = open(asset, join(state.folder, asset.attr.file or ""), state)
          state.models[sub.attr.model or "MuJoCo Model"] = asset
        end
      end
      if asset.tag == "mesh" then asset.folder = asset.folder or state.folder end
    end
  end
  if is_attached then return end
  local worlds = {}
  for _, c in ipairs(tree) do
    if c.tag == "worldbody" then worlds[#worlds + 1] = c end
  end
  for _, c in ipairs(worlds) do
    flatten(tree, c, state)
  end
end

return expand

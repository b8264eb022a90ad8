--- Translates the file of a robot for `scree import`.

local READERS = { robot = "scree.urdf", mujoco = "scree.mjcf" }

-- Sorts warnings by file and line, in a stable order.
local function sorted(warnings)
  local list = {}
  for i, text in ipairs(warnings) do
    local file, line = text:match "^(.-):(%d+):"
    list[i] = { text = text, file = file or "", line = tonumber(line) or 0, order = i }
  end
  table.sort(list, function(a, b)
    if a.file ~= b.file then return a.file < b.file end
    if a.line ~= b.line then return a.line < b.line end
    return a.order < b.order
  end)
  for i, entry in ipairs(list) do
    list[i] = entry.text
  end
  return list
end

-- Replaces each path of a mesh by the path as seen from the Lua file. Returns the number of copied meshes.
local function place_meshes(model, place)
  local known, copies = {}, 0
  for _, link in ipairs(model.links) do
    for _, shape in ipairs(link.shapes or {}) do
      local file = shape.file
      if file and not known[file] then
        local path, copied = place(file)
        if copied then copies = copies + 1 end
        if not path then
          model.left_out[#model.left_out + 1] =
            ("%s:0: a scene reads no files outside its folder; -o FILE copies the mesh"):format(file)
        end
        known[file] = path or file
      end
      if file then shape.file = known[file] end
    end
  end
  return copies
end

--- Translates a file. options: file, folder, table, parse, exists, place, packages, strict. Returns the text
--- of the Lua file, the numbers of links and joints, the warnings as text, their number, and the number of
--- copied meshes.
local function run(options)
  local tree, why = options.parse(options.file)
  if not tree then error(why, 0) end
  local name = READERS[tree.tag]
  if not name then
    error(
      ("%s:%d: the root element is <%s>; <robot> (URDF) and <mujoco> (MJCF) are known"):format(
        options.file,
        tree.line,
        tree.tag
      ),
      0
    )
  end
  local model = require(name).read(tree, options)
  local is_refused = options.strict and #model.left_out > 0
  local copies = is_refused and 0 or place_meshes(model, options.place)
  model.left_out = sorted(model.left_out)
  local text = require("scree.robot.source").write(
    model,
    { from = options.file:match "[^/]*$", table = options.table }
  )
  return text,
    #model.links,
    #model.joints,
    table.concat(model.left_out, "\n"),
    #model.left_out,
    copies
end

return run

--- Finds the meshes of a URDF file.

local files = {}

-- Returns the parent of a folder, as a path that may begin with "..".
local function parent_of(folder)
  if folder == "." then return ".." end
  if folder == "/" then return nil end
  if folder:match "^%.%.$" or folder:match "/%.%.$" then return folder .. "/.." end
  return folder:match "^(.*)/[^/]*$" or (folder:sub(1, 1) ~= "/" and "." or nil)
end

local PARENTS = 12 -- folders above the file that are searched

-- Returns the path of package://NAME/REST: in the folder of the option --package, or in a folder NAME beside or above
-- the file, or, if such a folder is an ancestor of the file itself, in that folder.
local function find_package(name, rest, options)
  local given = (options.packages or {})[name]
  if given then
    local path = given .. "/" .. rest
    if options.exists(path) then return path end
    return nil, ("there is no file %s"):format(path)
  end
  local folder, tried = options.folder or ".", 0
  while folder and tried < PARENTS do
    for _, path in ipairs { folder .. "/" .. name .. "/" .. rest, folder .. "/" .. rest } do
      if options.exists(path) then return path end
    end
    folder, tried = parent_of(folder), tried + 1
  end
  return nil,
    ("package://%s/%s is not in the folders of the file and above; --package %s=DIR names the folder"):format(
      name,
      rest,
      name
    )
end

--- Returns a function that returns the path of a mesh, or nil and the reason. options: folder, exists, packages.
function files.finder(options)
  return function(name)
    local package, rest = name:match "^package://([^/]*)/+(.*)"
    if not package then package, rest = name:match "^model://([^/]*)/+(.*)" end
    local plain = name:gsub("^file://", "")
    local path = plain:sub(1, 1) == "/" and plain or (options.folder or ".") .. "/" .. plain
    if not options.exists then return package and (options.folder or ".") .. "/" .. rest or path end
    if package then return find_package(package, rest, options) end
    if options.exists(path) then return path end
    return nil, ("there is no file %s"):format(path)
  end
end

return files

--- Finds the meshes of a URDF file.

local files = {}

-- Returns the parent of a folder, as a path that may begin with "..".
local function parent_of(folder)
  if folder == "." then return ".." end
  if folder == "/" then return nil end
  if folder:match "^%.%.$" or folder:match "/%.%.$" then return folder .. "/.." end
  return folder:match "^(.*)/[^/]*$" or (folder:sub(1, 1) ~= "/" and "." or nil)
end

local PARENTS = 12 -- number of parent folders of the file that are searched

-- Returns the path of package://NAME/REST. Searches the folder of the option --package if it is given.
-- Otherwise searches the folder of the file and its parents, for REST in a folder NAME and for REST itself.
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

--- Returns a function that maps the name of a mesh to its path, or to nil and the reason. options: folder,
--- exists, packages.
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

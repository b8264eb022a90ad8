--- Tables of the elements of MJCF and URDF in docs/robots.md, from the tables of the importer.
---   scree lua --trust tools/robots.lua [write]
--- Without `write` it checks that the page is up to date.

local PAGE = "docs/robots.md"
local STATUS = { supported = "yes", partly = "partly", refused = "no", unseen = "no effect" }

local function sorted(set, status)
  local list = {}
  for key, value in pairs(set) do
    if value == status then list[#list + 1] = "`" .. key .. "`" end
  end
  table.sort(list)
  return table.concat(list, " ")
end

-- Returns the rows of a format as lines. Refused elements with equal notes share a row.
local function rows(elements)
  local lines, shared = {}, {}
  for _, row in ipairs(elements.list) do
    local is_plain = (row.status == "refused" or row.status == "unseen") and next(row.attributes) == nil
    local key = row.status .. (row.note or "")
    if is_plain and shared[key] then
      table.insert(shared[key].paths, row.path)
    else
      local entry = { paths = { row.path }, row = row }
      lines[#lines + 1] = entry
      if is_plain then shared[key] = entry end
    end
  end
  for i, entry in ipairs(lines) do
    local row = entry.row
    lines[i] = ("| %s | %s | %s | %s | %s |"):format(
      "`" .. table.concat(entry.paths, "` `") .. "`",
      STATUS[row.status],
      sorted(row.attributes, "supported"),
      sorted(row.attributes, "refused"),
      row.note or ""
    )
    lines[i] = lines[i]:gsub("  +", " ")
  end
  return table.concat(lines, "\n")
end

local function section(name, elements)
  return ("<!-- %s: written by tools/robots.lua -->\n\n| element | read | attributes that are read | attributes with a warning | notes |\n"
    .. "|---|---|---|---|---|\n%s\n\n<!-- end of %s -->"):format(name, rows(elements), name)
end

local file = assert(io.open(PAGE))
local text = file:read "a"
file:close()
local page = text
for name, module in pairs { MJCF = "scree.mjcf.elements", URDF = "scree.urdf.elements" } do
  local from = assert(page:find("<!-- " .. name .. ": written", 1, true), PAGE .. " has no table of " .. name)
  local ending = "<!-- end of " .. name .. " -->"
  local to = select(2, page:find(ending, from, true))
  page = page:sub(1, from - 1) .. section(name, require(module)) .. page:sub(to + 1)
end
if arg and arg[1] == "write" or ... == "write" then
  local out = assert(io.open(PAGE, "w"))
  out:write(page)
  out:close()
elseif page ~= text then
  error("docs/robots.md: tables are not up to date; run: scree lua --trust tools/robots.lua write", 0)
end

#!/usr/bin/env bash
# scree import ignores nothing in silence: for each element and attribute of MJCF's schema, the importer changes its output, warns, refuses the file, or
# the table of docs/robots.md says that the element has no effect on the motion. Unknown names are warnings, too. The tables are up to date.
. "$(dirname "$0")/../support/import.sh"
(cd "$source" && "$scree" lua --trust tools/robots.lua) || fail "the tables of docs/robots.md"

# Elements without an effect on the motion are no warnings.
cat >seen.xml <<'X'
<mujoco><visual><headlight ambient="1 1 1"/></visual><statistic extent="1"/><size nkey="1"/><custom><numeric name="n" data="1"/></custom>
<asset><texture name="t" type="skybox" builtin="gradient" rgb1="1 1 1" width="9" height="9"/><material name="m" texture="t" rgba="1 0 0 1"/></asset>
<worldbody><light pos="0 0 1"/><camera name="c"/><body><joint/><geom size="1" material="m"/></body></worldbody></mujoco>
X
import seen.xml
[ -s err ] && ! grep -q "links" err && fail "warnings of what has no effect: $(cat err)"
grep -q "seen.xml" err && fail "warnings of what has no effect: $(cat err)"

cat >elements.lua <<'LUA'
-- Calls the reader for each element and attribute of the schema with a value that differs from the default.
local mjcf = require "scree.mjcf"
local schema, page = arg[1], arg[2]
local text = {}
for line in io.lines(page) do
  if line:find("end of MJCF", 1, true) then break end
  text[#text + 1] = line
end
-- what the page says: no effect, by element, and the attributes of its rows
local row_of = {}
for _, line in ipairs(text) do
  local paths, status, read, warned = line:match "^| (`[^|]*) | ([^|]*) | ([^|]*)| ([^|]*)|"
  for path in (paths or ""):gmatch "`([^`]+)`" do row_of[path] = { status = status, known = read .. " " .. warned, read = read } end
end
local function quoted(list, key) return list:find("`" .. key .. "`", 1, true) end

local function node(tag, attr, children)
  local n = { tag = tag, attr = attr or {}, line = 1 }
  for i, c in ipairs(children or {}) do n[i] = c end
  return n
end
-- A model with one element in its place. The element has the attributes `attr`.
local function tree_with(path, attr)
  local steps = {}
  for step in path:gmatch "[^/]+" do steps[#steps + 1] = step end
  local root = node("mujoco", {}, {
    node("worldbody", {}, { node("body", { name = "b" }, {
      node("joint", { name = "j" }), node("geom", { name = "g", size = "0.1" }), node("site", { name = "s" }) }) }),
  })
  local at = root
  for i, step in ipairs(steps) do
    local is_last = i == #steps
    if step == "mujoco" then
      if is_last then for k, v in pairs(attr) do root.attr[k] = v end end
    elseif i == 1 and step == "body" then
      if is_last then
        local c = node("body", attr) at = root[1] at[#at + 1] = c at = c
        at[1] = node("geom", { size = "0.1" })
      else at = root[1][1] end
    else
      local c = node(step, is_last and attr or {})
      at[#at + 1] = c
      at = c
    end
  end
  return root
end
local function read(path, attr)
  local fine, model = pcall(mjcf.read, tree_with(path, attr), { file = "f" })
  if not fine then return { refused = model, warnings = {} } end
  return { warnings = model.left_out }
end

local count, wrong = { elements = 0, attributes = 0, warned = 0, read = 0, unseen = 0 }, {}
local function note(...) wrong[#wrong + 1] = string.format(...) end
for line in io.lines(schema) do
  local path, names = line:match "^([%w_/]+)%s*(.*)$"
  if path and not path:match "^default/" then
    count.elements = count.elements + 1
    -- the row of the element, or of the refused or unseen element around it
    local outer = path
    while not row_of[outer] and outer:find "/" do outer = outer:match "^(.*)/" end
    local row = row_of[outer]
    if not row then
      note("%s is not in the table", path)
    elseif outer ~= path and row.status ~= "no" and row.status ~= "no effect" then
      note("%s is not in the table, and %s is read", path, outer)
    elseif row.status == "no" then
      local said = read(path, {})
      if #said.warnings == 0 and not said.refused then note("%s is refused by the table and by nothing else", path) end
      count.warned = count.warned + 1
    elseif row.status == "no effect" then
      count.unseen = count.unseen + 1
    else
      for key in names:gmatch "%S+" do
        count.attributes = count.attributes + 1
        if quoted(row.read, key) then
          count.read = count.read + 1
        else
          -- neither read nor listed as without effect: a warning must name it
          local said = read(path, { [key] = "7" })
          local named = said.refused
          for _, warning in ipairs(said.warnings) do named = named or warning:find("attribute " .. key, 1, true) end
          if quoted(row.known, key) then
            count.warned = count.warned + 1
            if not named then note("%s: attribute %s: no warning", path, key) end
          else
            count.unseen = count.unseen + 1
            for _, warning in ipairs(said.warnings) do
              if warning:find("unknown attribute " .. key, 1, true) then note("%s: %s is not in the table", path, key) end
            end
          end
        end
      end
      local said = read(path, { nonsense = "1" })
      local named = said.refused
      for _, warning in ipairs(said.warnings) do named = named or warning:find("unknown attribute nonsense", 1, true) end
      if not named then note("%s: an unknown attribute is ignored", path) end
    end
  end
end
for k, v in pairs(count) do print(k, v) end
assert(count.elements > 150 and count.attributes > 300 and count.read > 150)
assert(#wrong == 0, "\n" .. table.concat(wrong, "\n"))
LUA
"$scree" lua --trust --callback-time 100 elements.lua "$source/tests/support/mjcf/schema.txt" "$source/docs/robots.md" >out 2>&1 || fail "elements: $(cat out)"

# unknown elements at every level
for where in '<bend/>' '<worldbody><bend/></worldbody>' '<worldbody><body><geom size="1"/><bend/></body></worldbody>' '<asset><bend/></asset>' \
  '<actuator><bend/></actuator>' '<sensor><bend/></sensor>' '<contact><bend/></contact>' '<equality><bend/></equality>' '<tendon><bend/></tendon>' \
  '<keyframe><bend/></keyframe>' '<option><bend/></option>' '<default><bend/></default>' '<compiler><bend/></compiler>'; do
  echo "<mujoco><worldbody><geom size='1'/></worldbody>$where</mujoco>" >bend.xml
  "$scree" import bend.xml --table -o bend.lua >out 2>err || fail "$where: $(cat err)"
  has err 'bend.xml:1: <bend>'
done
for where in '<bend/>' '<link name="b"><bend/></link>' '<link name="b"><inertial><bend/><mass value="0"/><inertia/></inertial></link>' '<transmission/>' '<gazebo/>' \
  '<link name="b"><collision><geometry><sphere radius="1" bend="1"/></geometry></collision></link>'; do
  joint=
  case $where in *'name="b"'*) joint='<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>' ;; esac
  echo "<robot name='r'><link name='a'/>$where$joint</robot>" >bend.urdf
  "$scree" import bend.urdf --table -o bend.lua >out 2>err || fail "$where: $(cat err)"
  has err 'bend.urdf:1: <'
done
exit $failed

-- Tests the order of pairs and next: list part, numbers, texts by bytes, false, true, bodies by id. A loop skips entries that are set to nil during the
-- loop. pairs and next must agree from any key on.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

local w = scree.world {}
local body = {}
for i = 1, 5 do body[i] = w:sphere { radius = 0.1, position = { i, 0, 0 } } end

-- keys after the list part, in the expected order; tables of the test lack some of these keys
local order = { -1 / 0, math.mininteger, -2.5, -2, -1, -0.5, 0, 0.5, 1.5, 2.5, 1000, 1000.5, 2 ^ 53, math.maxinteger - 1, math.maxinteger, 2.0 ^ 64, 1 / 0, "", "\0", "\0\0", "\0a", "1", "10", "2", "A", "B",
  "a", "a\0", "aa", "ab", "b", "z", "\x7f", "\x80", "\xff", false, true, body[1], body[2], body[3], body[4], body[5] }

local random = mixture.random(3)
local function make(share)
  local t, expected, list = {}, {}, math.floor((random() + 0.5) * 5)
  for i = 1, list do t[i], expected[i] = i, i end
  -- insert the keys in random order
  local left = {}
  for i, key in ipairs(order) do left[i] = key end
  local chosen = {}
  while #left > 0 do
    local key = table.remove(left, 1 + math.floor((random() + 0.5) * #left))
    if random() + 0.5 < share then t[key], chosen[key] = key, true end
  end
  for _, key in ipairs(order) do if chosen[key] then expected[#expected + 1] = key end end
  return t, expected
end

for k = 1, 60 do
  local t, expected = make(k / 60)
  local n = 0
  for key, value in pairs(t) do
    n = n + 1
    assert(rawequal(key, expected[n]) and rawequal(value, key), tostring(key))
  end
  assert(n == #expected, n .. " of " .. #expected)
  -- next, from the start and from any key
  local key
  for i = 1, #expected do
    local value
    key, value = next(t, key)
    assert(rawequal(key, expected[i]) and rawequal(value, key), tostring(key))
  end
  assert(next(t, key) == nil and select("#", next(t, key)) == 1)
  for i = #expected, 1, -1 do assert(rawequal(next(t, expected[i]), expected[i + 1]), tostring(expected[i])) end
  -- keys that are removed during the loop are skipped
  n = 0
  for key in pairs(t) do
    n = n + 1
    assert(rawequal(key, expected[n]))
    if expected[n + 1] ~= nil and n % 3 ~= 2 then
      t[expected[n + 1]] = nil
      n = n + 1
    end
  end
  assert(n == #expected, n .. " of " .. #expected)
end

-- a list with a hole, a table and a function as keys
local hole = { 1, 2, nil, 4 }
local keys = {}
for key in pairs(hole) do keys[#keys + 1] = key end
assert(table.concat(keys, " ") == "1 2 4")
local single = { x = 1, [hole] = 2, [3] = 3 }
keys = {}
for key in pairs(single) do keys[#keys + 1] = key end
assert(keys[1] == 3 and keys[2] == "x" and keys[3] == hole and #keys == 3)
check.fails("more than one key is a table or function", pairs, { [hole] = 1, [print] = 2 })
check.fails("there is no such key", next, { a = 1 }, "b")
check.fails("table expected", next, 1)
check.fails("table expected", pairs, 1)
assert(next {} == nil and next({ 5 }) == 1 and select(2, next { 5 }) == 5 and next { [2] = 1, a = 1 } == 2 and next { a = 1, [-1] = 2, b = 3 } == -1)
local meta = setmetatable({}, { __pairs = function(t) return function(_, k) return not k and 7 or nil end, t, nil end })
for key in pairs(meta) do assert(key == 7) end
-- read-only tables
local names = {}
for name in pairs(string) do names[#names + 1] = name end
for i = 2, #names do assert(names[i - 1] < names[i]) end
assert(#names > 10)
-- two nested loops over one table, and calls of next in any order
local t = { a = 1, b = 2, c = 3 }
local pairs_of = {}
for p in pairs(t) do for q in pairs(t) do pairs_of[#pairs_of + 1] = p .. q end end
assert(table.concat(pairs_of, " ") == "aa ab ac ba bb bc ca cb cc")
local k1, k2 = next(t), next(t, "a")
assert(k1 == "a" and k2 == "b" and next(t, "b") == "c" and next(t, "a") == "b" and next(t, "c") == nil)
t.d = 4
assert(next(t, "c") == "d" or next(t, "c") == nil)

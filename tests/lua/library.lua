-- The functions that replace Lua's own agree with the reference manual.
local function same(a, b, what)
  if a ~= b then error(string.format("%s: %s instead of %s", what or "values", tostring(a), tostring(b)), 2) end
end
local function all(what, expected, ...)
  local got = table.pack(...)
  same(got.n, #expected, what .. " (count)")
  for i = 1, got.n do same(got[i], expected[i], what) end
end
local fails = require("check").fails

-- find, match
all("plain find", { 7, 11 }, ("hello world"):find "world")
all("find from", { 8, 8 }, ("hello world"):find("o", 6))
same(("hello"):find("z"), nil)
all("find with captures", { 1, 5, "he", "o" }, ("hello"):find "(h.)ll(o)")
all("special characters", { 3, 3 }, ("a.b+c"):find("b"))
all("plain flag", { 2, 2 }, ("a.b"):find(".", 1, true))
all("empty pattern", { 1, 0 }, (""):find "")
all("empty at the end", { 4, 3 }, ("abc"):find("", 4))
same(("abc"):find("", 5), nil)
all("negative start", { 3, 3 }, ("abc"):find("c", -1))
all("zero byte", { 2, 2 }, ("a\0b"):find "\0")
same(("key = value"):match "^(%w+)%s*=", "key")
all("two captures", { "key", "value" }, ("key = value"):match "^(%w+)%s*=%s*(%w+)$")
all("position captures", { 1, 3 }, ("ab"):match "()ab()")
same(("  trim  "):match "^%s*(.-)%s*$", "trim")
same(("2026-11-21"):match "%d+%-(%d+)", "11")
same(("[[x]]"):match "%b[]", "[[x]]")
same(("f(a(b)c)d"):match "%b()", "(a(b)c)")
same(("THE (quick) fox"):find "%f[%a]%a+%f[%A]", 1)
same(("x=='a''b'"):match "(['\"]).-%1", "'")
same(("abab"):match "^(ab)%1$", "ab")
same(("]"):match "[]]", "]")
same(("a-b"):match "[a%-]+", "a-")
same(("^"):match "[%^]", "^")
same(("x"):match "[^%d]", "x")
same(("aXb"):match "%u", "X")
same(("0x1F"):match "^0[xX](%x+)$", "1F")
same(("aaa"):match "a-b", nil)
same(("aaab"):match "a-b", "aaab")
same(("ab"):match "a?b", "ab")
same(("b"):match "a?b", "b")
same(("$"):match "%$", "$")
same(("a$b"):match "a$b", "a$b")
same(("\255"):match "[\128-\255]", "\255")
fails("malformed pattern (ends with '%')", string.find, "a", "%")
fails("missing ']'", string.find, "a", "[a")
fails("unfinished capture", string.find, "a", "(a")
fails("invalid pattern capture", string.match, "a", "a)")
fails("invalid capture index", string.find, "a", "%1")
fails("too many captures", string.find, "a", ("()"):rep(33))
fails("missing '['", string.find, "a", "%fa")

-- gmatch
local words = {}
for word in ("one two  three"):gmatch "%a+" do words[#words + 1] = word end
same(table.concat(words, ","), "one,two,three")
local pairs_found = {}
for k, v in ("a=1, b=2"):gmatch "(%w+)=(%w+)" do pairs_found[#pairs_found + 1] = k .. v end
same(table.concat(pairs_found, ";"), "a1;b2")
local count = 0
for at in ("abc"):gmatch "()" do count = count + at end
same(count, 1 + 2 + 3 + 4)

-- gsub
all("gsub", { "h*ll*", 2 }, ("hello"):gsub("[eo]", "*"))
all("gsub limit", { "h*llo", 1 }, ("hello"):gsub("[eo]", "*", 1))
all("gsub captures", { "world hello", 1 }, ("hello world"):gsub("(%w+) (%w+)", "%2 %1"))
all("gsub whole", { "<a><b>", 2 }, ("ab"):gsub("%w", "<%0>"))
all("gsub percent", { "100%", 1 }, ("100x"):gsub("x", "%%"))
all("gsub table", { "1-?", 2 }, ("a-b"):gsub("%w", { a = "1", b = "?" }))
all("gsub function", { "A-b", 2 }, ("a-b"):gsub("%w", function(c) if c == "a" then return "A" end end))
all("gsub empty", { "-a-b-", 3 }, ("ab"):gsub("", "-"))
all("gsub empty after match", { "xb", 2 }, ("ab"):gsub("a?", { a = "x", [""] = false }))
all("gsub anchor", { "xaa", 1 }, ("aaa"):gsub("^a", "x"))
all("gsub number", { "7", 1 }, ("a"):gsub("a", 7))
fails("invalid use of '%'", string.gsub, "a", "a", "%z")
fails("invalid replacement value (a table)", string.gsub, "a", "a", function() return {} end)

-- rep, format, tostring
same(("ab"):rep(3), "ababab")
same(("ab"):rep(3, ","), "ab,ab,ab")
same(("ab"):rep(0), "")
same(("ab"):rep(1, "--"), "ab")
same(("x"):rep(1000):len(), 1000)
fails("too large", string.rep, "ab", math.maxinteger)
same(string.format("%5.2f|%d|%s|%q", 3.14159, 7, "x", "a\n"), " 3.14|7|x|\"a\\\n\"")
same(string.format("%s %s", {}, print), "table function")
fails("%p", string.format, "%p", {})
same(tostring({}), "table")
same(tostring(setmetatable({}, { __tostring = function() return "me" end })), "me")

-- table
same(table.concat({ 1, 2, 3 }, "-"), "1-2-3")
same(table.concat({}, "-"), "")
same(table.concat({ "a", "b", "c" }, "", 2, 3), "bc")
fails("invalid value (at index 2)", table.concat, { 1, {}, 3 })
local list = { 1, 2, 3 }
table.insert(list, 4)
table.insert(list, 1, 0)
same(table.concat(list, ","), "0,1,2,3,4")
same(table.remove(list), 4)
same(table.remove(list, 1), 0)
same(table.concat(list, ","), "1,2,3")
same(table.remove({}), nil)
fails("position out of bounds", table.insert, list, 9, 1)
same(table.concat(table.move({ 1, 2, 3, 4 }, 1, 3, 2), ","), "1,1,2,3")
same(table.concat(table.move({ 1, 2, 3, 4 }, 2, 4, 1), ","), "2,3,4,4")
same(table.concat(table.move({ 1, 2 }, 1, 2, 3, { 9, 9 }), ","), "9,9,1,2")
local numbers = {}
for i = 1, 500 do numbers[i] = (i * 7919) % 503 end
table.sort(numbers)
for i = 2, #numbers do assert(numbers[i - 1] <= numbers[i]) end
table.sort(numbers, function(a, b) return a > b end)
for i = 2, #numbers do assert(numbers[i - 1] >= numbers[i]) end
local records = {}
for i = 1, 100 do records[i] = { key = i % 3, place = i } end
table.sort(records, function(a, b) return a.key < b.key end)
for i = 2, 100 do
  assert(records[i - 1].key < records[i].key or (records[i - 1].key == records[i].key and records[i - 1].place < records[i].place), "stable")
end
fails("attempt to compare", table.sort, { 1, "a" })
same(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), 3)

-- pairs and next: a fixed order
local function keys(t)
  local out = {}
  for k in pairs(t) do out[#out + 1] = tostring(k) end
  return table.concat(out, " ")
end
same(keys { 10, 20, 30, z = 1, a = 2, m = 3 }, "1 2 3 a m z")
same(keys { [-1] = 1, [2.5] = 1, [100] = 1, [true] = 1, [false] = 1, b = 1 }, "-1 2.5 100 b false true")
local big = {}
for i = 1, 200 do big["k" .. i] = i end
for i = 1, 200, 2 do big["k" .. i] = nil end
local last, n = "", 0
for k in pairs(big) do
  assert(last < k)
  last, n = k, n + 1
end
same(n, 100)
same(next(big), "k10")
for k in pairs(big) do big[k] = nil end
same(next(big), nil)
local walk, k, v = {}, nil, nil
local t = { "x", "y", p = 1, q = 2 }
repeat
  k, v = next(t, k)
  walk[#walk + 1] = tostring(k)
until k == nil
same(table.concat(walk, " "), "1 2 p q nil")
same(next({}), nil)
same(next({ only = 1 }), "only")
fails("no such key", next, { 1 }, "zzz")
fails("no order", function() for _ in pairs { [{}] = 1, [print] = 2 } do end end)
same(keys(setmetatable({}, { __pairs = function() return function(_, i) i = (i or 0) + 1 if i < 3 then return i end end end })), "1 2")
assert(keys(math):find "abs acos")

-- math.random
math.randomseed(5)
local a, b, c = math.random(), math.random(10), math.random(-3, 3)
math.randomseed(5)
same(math.random(), a)
same(math.random(10), b)
same(math.random(-3, 3), c)
-- 1000 draws: all in range, none twice, and means within five standard deviations
local seen, often, sum = {}, { 0, 0, 0 }, 0
for _ = 1, 1000 do
  local r, x = math.random(3), math.random()
  assert(r >= 1 and r <= 3 and math.type(r) == "integer")
  assert(x >= 0 and x < 1 and not seen[x])
  seen[x], often[r], sum = true, often[r] + 1, sum + x
end
assert(math.abs(sum / 1000 - 0.5) < 5 * math.sqrt(1 / 12 / 1000), sum)
for r = 1, 3 do assert(math.abs(often[r] - 1000 / 3) < 5 * math.sqrt(1000 * 2 / 9), often[r]) end
fails("interval is empty", math.random, 0, -1)

-- pcall, xpcall, coroutines
all("pcall", { true, 1, 2 }, pcall(function() return 1, 2 end))
all("pcall error", { false, "x" }, pcall(error, "x", 0))
all("xpcall", { false, "<x>" }, xpcall(function() error("x", 0) end, function(m) return "<" .. m .. ">" end))
all("xpcall arguments", { true, 5 }, xpcall(function(x, y) return x + y end, print, 2, 3))
local co = coroutine.create(function(x)
  local y = coroutine.yield(x + 1)
  local ok, z = pcall(coroutine.yield, y * 2)
  return ok, z
end)
all("resume", { true, 2 }, coroutine.resume(co, 1))
all("resume with a value", { true, 6 }, coroutine.resume(co, 3))
all("yield across pcall", { true, true, 9 }, coroutine.resume(co, 9))
same(coroutine.status(co), "dead")
same(coroutine.resume(co), false)
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
all("wrap", { 1, 2, 3 }, gen(), gen(), gen())
fails("boom", coroutine.wrap(function() error "boom" end))
local waiting = coroutine.create(function() coroutine.yield() end)
coroutine.resume(waiting)
same(coroutine.close(waiting), true)
same(coroutine.status(waiting), "dead")
fails("cannot close a running coroutine", coroutine.wrap(function() coroutine.close(coroutine.running()) end))

-- load, globals, read-only libraries
same(load("return 1 + 1")(), 2)
same(load(function() return nil end) ~= nil, true)
local pieces, at = { "return ", "4", "2" }, 0
same(load(function() at = at + 1 return pieces[at] end)(), 42)
same(load("return x", "name", "t", { x = 5 })(), 5)
same((load("x x")), nil)
assert(select(2, load("\27Lua", "b", "b")))
fails("undefined global 'nonsense'", load "return nonsense")
fails("did you mean 'print'?", load "prnt(1)")
own_global = 1
fails("did you mean 'own_global'?", load "return own_globl")
fails("built in", load "pairs = 1")
fails("read-only", load "math.pi = 3")
fails("read-only", rawset, math, "pi", 3)
fails("did you mean 'sqrt'?", load "return math.sqrrt(2)")
fails("__gc", setmetatable, {}, { __gc = print })
fails("protected", setmetatable, math, {})
same(getmetatable(""), false)
same(getmetatable(math), false)
same(("abc"):upper(), "ABC")

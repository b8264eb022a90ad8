-- Calls string and table functions with many arguments. Returns their results and errors as one text. The text must be equal for Lua's own library and
-- for the library of the sandbox (tests/unit/bind/plain_lua.c).
local out, state = {}, 12345
local function random(n)
  state = (1103515245 * state + 12345) % 2147483648
  return state // 65536 % n + 1
end
local function pick(list) return list[random(#list)] end

local function show(value)
  if type(value) == "string" then return (string.format("%q", value):gsub("\\\n", "\\n")) end
  if type(value) == "table" then
    local parts = {}
    for i = 1, rawlen(value) do parts[i] = show(value[i]) end
    return "{" .. #value .. ":" .. table.concat(parts, ",") .. "}"
  end
  return math.type(value) == "float" and string.format("%.17g", value) or type(value) == "function" and "function" or tostring(value)
end
local function note(name, ok, ...)
  local parts = { name, ok and "returns" or "fails" }
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    -- removes the line from an error, and names, numbers and types that differ between releases of Lua 5.4
    if not ok then value = tostring(value):gsub("^[^:]*:%d+: ", ""):gsub("bad argument #%d to '[^']*'", "bad argument"):gsub("%(%a+%) at index (%-?%d+)", "(at index %1)") end
    parts[#parts + 1] = show(value)
  end
  out[#out + 1] = table.concat(parts, " ")
end
local function try(name, f, ...)
  local given = {}
  for i = 1, select("#", ...) do given[i] = show((select(i, ...))) end
  note(name .. "(" .. table.concat(given, ", ") .. ")", pcall(f, ...))
end

-- patterns of random items over a small alphabet, on random subjects
local singles = { "a", "b", ".", "%a", "%A", "%d", "%D", "[ab]", "[^ab]", "[a-c]", "[^%d]", "[%a_]", "[]a]", "[^]a]", "[a-]", "[%]]", "%.", "%%", "%w", "%s", "%S", "%p", "%u", "%l",
  "%x", "%c", "%g", "-", "1", "(", "\0", "[\0-a]", "%W", "[%-a]", "[c-a]", "[a%]b]" }
local repeats = { "", "", "", "*", "+", "-", "?" }
local function pattern()
  local parts, open, closed = {}, 0, 0
  if random(6) == 1 then parts[1] = "^" end
  for _ = 1, random(5) do
    local kind = random(14)
    if kind == 1 and open + closed < 9 then parts[#parts + 1], open = "(", open + 1
    elseif kind == 2 and open > 0 then parts[#parts + 1], open, closed = ")", open - 1, closed + 1
    elseif kind == 3 then parts[#parts + 1] = "%b" .. pick { "()", "ab", "aa", "(b" }
    elseif kind == 4 then parts[#parts + 1] = "%f" .. pick { "[a]", "[%a]", "[^a]", "[%z\0]" }
    elseif kind == 5 then parts[#parts + 1] = "()"; closed = closed + 1
    elseif kind == 6 and open == 0 and closed > 0 then parts[#parts + 1] = "%" .. random(closed)
    else
      local single = pick(singles)
      parts[#parts + 1] = single == "(" and "%(" or single .. pick(repeats)
    end
  end
  parts[#parts + 1] = (")"):rep(open)
  if random(6) == 1 then parts[#parts + 1] = "$" end
  return table.concat(parts)
end
local function subject()
  local parts = {}
  for i = 1, random(10) - 1 do parts[i] = pick { "a", "b", "c", "1", "(", ")", "-", "]", " ", "A", "\0", "_", ".", "\n", "\xe4" } end
  return table.concat(parts)
end
local function all(text, p, start)
  local found = {}
  for a, b, c in string.gmatch(text, p, start) do
    found[#found + 1] = show { a, b, c }
    if #found > 30 then break end
  end
  return found
end
for _ = 1, 6000 do
  local text, p, start = subject(), pattern(), random(14) - 6
  local kind = random(6)
  if kind == 1 then try("find", string.find, text, p, start)
  elseif kind == 2 then try("match", string.match, text, p, start)
  elseif kind == 3 then try("gmatch", all, text, p)
  elseif kind == 4 then try("gmatch from", all, text, p, start)
  elseif kind == 5 then try("gsub", string.gsub, text, p, pick { "", "x", "<%0>", "%1", "%2%1", "%%", "%", "%x", "a%1b%0c" }, pick { nil, 0, 1, 2 })
  else try("find plain", string.find, text, p, start, true) end
end
for _, value in ipairs { 1, 2.5, true, {}, { a = "A" }, { a = false, b = 7 }, function(a, b) return a == "a" and "<" .. tostring(b) .. ">" end, function() return 12 end, function() return {} end } do
  for _, p in ipairs { "a", "[ab]", "(a)(b?)", "()", "" } do
    note("gsub by " .. type(value) .. " " .. p, pcall(string.gsub, "abcab", p, value))
    note("gsub by " .. type(value) .. " " .. p .. " twice", pcall(string.gsub, "abcab", p, value, 2))
  end
end
-- malformed patterns; the sandbox rejects them before matching, so each subject must lead Lua's own matcher to the malformed item
for _, p in ipairs { "[", "%", ")", "a)", "(", "(a", "[a", "[^", "%f", "%fa", "%b", "%ba", "[%", "[a-", "[%a", "%1", "(a%1)", "()%2", "%0", "a%" } do
  for _, f in ipairs { "find", "match", "gmatch", p:sub(1, 1) ~= "(" and "gsub" or nil } do
    local ok, message = pcall(function() return f == "gmatch" and string.gmatch("aaaa", p)() or string[f]("aaaa", p, f == "gsub" and "" or 1) end)
    out[#out + 1] = f .. " " .. p .. " " .. (ok and "fine" or tostring(message):gsub("^[^:]*:%d+: ", ""))
  end
end
try("gsub", string.gsub, "a", "a")
try("many captures", string.match, ("a"):rep(40), ("(a)"):rep(32))
try("too many captures", string.match, ("a"):rep(40), ("(a)"):rep(33))
try("find a number", string.find, 12345, 34)
try("no pattern", string.find, "a")
try("no subject", string.match, nil, "a")

-- rep, format, and methods of strings
for _, text in ipairs { "", "a", "abc" } do
  for count = -1, 9 do
    for _, gap in ipairs { "", ",", "; " } do try("rep", string.rep, text, count, gap) end
  end
end
try("rep", string.rep, "ab", 3)
try("rep", string.rep, "ab", 1 << 62)
try("rep", string.rep, "ab")
try("rep", string.rep, "ab", 1.5)
for _, given in ipairs { { "%d", 3 }, { "%5.1f|", 2.25 }, { "%s %s", 1, "a" }, { "%q", "a\n" }, { "%x", 255 }, { "%5s|%-5s|", "a", "b" }, { "%%" }, { "%c", 65 }, { "%d", 1.5 }, { "%d" }, { "%y", 1 },
  { "%i", "7" }, { "%g", 1e20 }, { "%a", 1 }, { "%s", nil }, { "%s", true }, { "%", 1 }, { "%10.123f", 1 } } do
  try("format", string.format, table.unpack(given, 1, 3))
end
for _, method in ipairs { "byte", "char", "len", "lower", "reverse", "sub", "upper" } do
  try(method, string[method], method == "char" and 65 or "aBc", 2, 3)
end
try("method", function() return ("x"):rep(3) .. ("abc"):upper() end)

-- functions of lists with all kinds of ranges
local function list(n)
  local t = {}
  for i = 1, n do t[i] = i * i end
  return t
end
for n = 0, 4 do
  for i = -1, n + 2 do
    for j = -1, n + 2 do
      try("concat", table.concat, list(n), ";", i, j)
      if math.abs(i) < 3 then
        for place = -1, n + 2 do
          local t = list(n)
          note("move " .. n .. " " .. i .. " " .. j .. " " .. place, pcall(table.move, t, i, j, place))
          note("moved to another", pcall(table.move, list(n), i, j, place, { 10, 20 }))
        end
      end
    end
    local t = list(n)
    note("insert " .. n .. " " .. i, pcall(table.insert, t, i, "new"))
    note("inserted", true, t)
    t = list(n)
    note("remove " .. n .. " " .. i, pcall(table.remove, t, i))
    note("removed", true, t)
  end
  local t = list(n)
  note("insert at the end", pcall(table.insert, t, "new"))
  note("inserted", true, t)
  t = list(n)
  note("remove the last", pcall(table.remove, t))
  note("removed", true, t)
  try("concat", table.concat, list(n))
end
try("concat", table.concat, { 1, {}, 3 })
try("concat", table.concat, { 1, 2.5, "x" }, 7)
try("concat", table.concat, 1)
try("insert", table.insert, {})
try("insert", table.insert, {}, 1, 2, 3)
try("insert", table.insert, 1, 2)
try("move", table.move, {}, 1, 2)
try("move", table.move, {}, math.mininteger, 1, 2)
try("move", table.move, {}, 1, math.maxinteger, 2)
try("remove", table.remove, { n = 1 }, 3)

-- sort: all permutations of up to six numbers, some of them equal, and comparison functions
local function permute(t, n)
  if n == 0 then
    local copy = table.move(t, 1, #t, 1, {})
    table.sort(copy)
    note("sort " .. show(t), true, copy)
    copy = table.move(t, 1, #t, 1, {})
    table.sort(copy, function(a, b) return a > b end)
    note("sort down", true, copy)
  end
  for i = 1, n do
    t[i], t[n] = t[n], t[i]
    permute(t, n - 1)
    t[i], t[n] = t[n], t[i]
  end
end
for _, t in ipairs { {}, { 1 }, { 1, 2 }, { 1, 2, 3 }, { 1, 1, 2, 3 }, { 1, 2, 2, 4, 5 } } do permute(t, #t) end
for n = 6, 70 do
  local t = {}
  for i = 1, n do t[i] = random(50) end
  table.sort(t)
  note("sort " .. n, true, t)
end
try("sort texts", function() local t = { "b", "a", "", "B", "10", "9" } table.sort(t) return t end)
try("sort a mixture", table.sort, { 1, "a" })
try("sort by nothing", table.sort, { 2, 1 }, 1)
try("sort no table", table.sort, 1)

-- load and select, numbers and texts
try("load", function() return load("return 1 + 1")() end)
try("load", function() return load("return ...", "name", "t", {})(5) end)
try("load", function() return load("return x", "name", "t", { x = 7 })() end)
try("load", function() local parts = { "return ", "4", "2" } local i = 0 return load(function() i = i + 1 return parts[i] end)() end)
try("load", function() local parts = { "return ", "4", "", "2" } local i = 0 return load(function() i = i + 1 return parts[i] end)() end)
try("load", load, "return +", "=name")
try("load", load, "x y")
for _, value in ipairs { 1, -2.5, 1e300, 1 / 0, -1 / 0, 2 ^ 53, math.mininteger, "x", true } do try("tostring", tostring, value) end
for _, text in ipairs { "1", " 0x10 ", "1e2", "1.", ".5", "0x", "", "1 2", "z", "7fffffffffffffff", "1e400" } do
  try("tonumber", tonumber, text)
  try("tonumber", tonumber, text, 16)
end
try("setmetatable", function() return #setmetatable({}, { __len = function() return 7 end }) end)
try("setmetatable", setmetatable, 1, {})
try("setmetatable", setmetatable, {}, 1)
try("setmetatable", function() local t = setmetatable({}, { __metatable = 1 }) return setmetatable(t, nil) end)
try("rawset", function() local t = setmetatable({}, { __newindex = error }) return rawset(t, 1, 2)[1] end)
try("rawset", rawset, 1, 2, 3)
try("error", error, "words", 0)
try("error", error)
try("pcall", pcall, error, 7)
try("xpcall", function() return xpcall(error, function(m) return "<" .. tostring(m) .. ">" end, "m") end)
try("select", select, -1, 1, 2, 3)
try("next", next, { 5 })
try("next", next, {})
try("ipairs", function() local s = 0 for i, v in ipairs { 1, 2, nil, 4 } do s = s + i * v end return s end)
try("coroutine", function()
  local c = coroutine.create(function(a) local b = coroutine.yield(a + 1) error("end " .. b, 0) end)
  local first = { coroutine.resume(c, 1) }
  local second = { coroutine.resume(c, 5) }
  return first, second, coroutine.status(c), coroutine.resume(c)
end)
try("wrap", function() local f = coroutine.wrap(function() coroutine.yield(1) coroutine.yield(2) end) return f(), f(), f() end)
try("close", function() local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) return coroutine.close(c), coroutine.status(c) end)
return table.concat(out, "\n")

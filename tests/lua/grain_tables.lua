-- Reads tables of text with every form of a number, separator, decimal sign, end of line and header. The test writes the tables and knows the numbers.
local scree = require "scree"
local fails = require("check").fails
local grain_file = require "grain_file"
local same = grain_file.same

local function read_table(text, def)
  return grain_file.with(text, function(path)
    local keys = { file = path }
    for k, v in pairs(def or {}) do keys[k] = v end
    return scree.read_table(keys)
  end)
end
math.randomseed(7)

-- ---- numbers, against Lua's tonumber ----
do
  local forms = { "0", "-0", "+7", "7.", ".5", "-.5e+3", "5.d2", "1D-3", "2E4", "00012", ("0"):rep(200) .. "5", "0." .. ("0"):rep(300) .. "1e300", "1e22", "1e-22", "1e23", "1e-23", "3e-22", "7e22",
    "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993e3", "18446744073709551615", "18446744073709551616", "1234567890123456789", "12345678901234567890", "99999999999999999999e-5",
    "0.1234567890123456789012345", "123456789012345678901234567890.125", "4.9e-324", "1e-400", "1.7976931348623157e308", "1e0000000000000000000001", "-1e-5", "+1e+5", "5" .. ("0"):rep(30), "1" .. ("0"):rep(20) .. ".5e-20",
    ("1"):rep(127), "-" .. ("1"):rep(126) }
  for k = 1, 600 do
    local digits, text = math.random(1, 24), ""
    for _ = 1, digits do text = text .. math.random(0, 9) end
    local at = math.random(0, digits)
    text = text:sub(1, at) .. (math.random() < 0.7 and "." or "") .. text:sub(at + 1)
    if math.random() < 0.6 then text = text .. ({ "e", "E", "d", "D" })[k % 4 + 1] .. ({ "", "+", "-" })[k % 3 + 1] .. math.random(0, 30) end
    forms[#forms + 1] = ({ "", "-", "+" })[k % 3 + 1] .. text
  end
  -- digits that need all 53 bits, divided and multiplied by small powers of ten: where rounding twice would show
  for k = 1, 600 do forms[#forms + 1] = ("%d%s%d"):format(math.random(1 << 52, 1 << 54), k % 2 == 0 and "e-" or "e", math.random(1, 22)) end
  local wrong = { "e5", ".", "-", "+", "1.2.3", "1e", "1e+", "1e-", "1e5x", "0x10", "inf", "nan", "--1", "+-1", "1e+-5", "1e1.5", "1 2", "1f3", "1e400", "-1e400", "1e99999999999", "1_0", ("1"):rep(128), "1e5 e", "x", "-.", ".e1", "1,5" }
  local lines, want = {}, {}
  for _, text in ipairs(forms) do
    lines[#lines + 1] = text
    local v = assert(tonumber((text:gsub("[dD]", "e")))) + 0.0
    want[#want + 1] = v == 0 and text:sub(1, 1) == "-" and -0.0 or v
  end
  for _, text in ipairs(wrong) do
    lines[#lines + 1] = text
    want[#want + 1] = 0 / 0
  end
  local t = read_table("name;\n" .. table.concat(lines, ";\n") .. ";\n", { separator = ";" })
  same(t.columns[1], want, "numbers")
  for k, v in ipairs(want) do assert(v ~= 0 or 1 / t.columns[1][k] == 1 / v, lines[k]) end -- the sign of 0
  -- with a comma
  for k, text in ipairs(lines) do lines[k] = text:gsub("[.,]", { ["."] = ",", [","] = "." }) end
  same(read_table("name;\n" .. table.concat(lines, ";\n") .. ";\n", { separator = ";" }).columns[1], want, "numbers with a comma")
end

-- ---- tables with all separators, decimal signs, ends of lines and headers ----
local function write_number(v, decimal) return (("%.3f"):format(v):gsub("%.", decimal)) end
local names, units = { "alpha", "beta2", "long_name", "d" }, { "mm", "kg", "m/s", "" }
local headers = {
  none = function() return {}, { "", "", "", "" }, { "", "", "", "" } end,
  names = function(join) return { join(names) }, names, { "", "", "", "" } end,
  comment = function(join) return { "# " .. join(names) }, names, { "", "", "", "" } end,
  square = function(join) return { join { "alpha [mm]", "beta2[kg]", "long_name [m/s]", "d" } }, names, units end,
  round = function(join) return { join { "alpha (mm)", "beta2(kg)", "long_name (m/s)", "d" } }, names, units end,
  line = function(join) return { join(names), join { "mm", "kg", "m/s", "-" } }, names, { "mm", "kg", "m/s", "-" } end,
  late = function(join) return { "a title of some words", "", join(names) }, names, { "", "", "", "" } end,
}
local tables = 0
for _, choice in ipairs { { "\t", "." }, { "\t", "," }, { ";", "." }, { ";", "," }, { "|", "." }, { "|", "," }, { ",", "." }, { " ", "." }, { " ", "," } } do
  local separator, decimal = choice[1], choice[2]
  local function join(cells) return table.concat(cells, separator == " " and "  " or separator) end
  for kind, header in pairs(headers) do
    for _, ending in ipairs { "\n", "\r\n", "\r" } do
      local head, want_names, want_units = header(join)
      local lines, want, at = head, { {}, {}, {}, {} }, {}
      for row = 1, 12 do
        local cells = {}
        for c = 1, 4 do
          want[c][row] = math.random(-9999, 9999) / 1000
          cells[c] = write_number(want[c][row], decimal)
        end
        if row % 5 == 0 then lines[#lines + 1] = ({ "", "# between", "  ! a comment", "// another", "% more" })[tables % 5 + 1] end
        lines[#lines + 1] = (row % 4 == 0 and "  " or "") .. join(cells) .. (row % 3 == 0 and separator or "") .. (row % 6 == 0 and " # behind" or "")
        at[row] = #lines
      end
      local what = ("separator '%s', decimal '%s', header %s, ending %q"):format(separator, decimal, kind, ending)
      for _, given in ipairs { false, separator } do
        local fine, t = pcall(read_table, table.concat(lines, ending) .. (tables % 2 == 0 and ending or ""), { separator = given or nil })
        assert(fine and t.rows == 12 and #t.columns == 4, what .. ": " .. tostring(t))
        for c = 1, 4 do
          same(t.columns[c], want[c], what .. ", column " .. c)
          assert(t.names[c] == want_names[c] and t.units[c] == want_units[c], what .. ": " .. t.names[c] .. " [" .. t.units[c] .. "]")
        end
        same(t.lines, at, what .. ", lines")
      end
      tables = tables + 1
    end
  end
end
assert(tables == 9 * 7 * 3)

-- quotes, tabs and other blanks, empty cells, a separator that is not the most frequent one of the file
local t = read_table '"a, b" ,\'c d\',"e\n1,2,3\n"4","5,6",\t7\v\n'
assert(t.names[1] == "a, b" and t.names[2] == "c d" and t.names[3] == '"e', table.concat(t.names, "|"))
same(t.columns[1], { 1, 4 }, "quoted")
same(t.columns[2], { 2, 0 / 0 }, "quoted with a comma")
same(t.columns[3], { 3, 7 }, "blanks around")
same(read_table("a;b;c\n1;;3\n;2;\n").columns[2], { 0 / 0, 2 }, "empty cells")
fails("no line has numbers alone", read_table, "1 2,5 3\n4 5,5 6\n", { separator = "," }) -- cells of two numbers
same(read_table('a "b c" d\n1 "2" 3\n').columns[2], { 2 }, "a quoted name between blanks")
assert(read_table(("n"):rep(70) .. ",b\n1,2\n").names[1] == ("n"):rep(63))
for _, separator in ipairs { ",,", "", "x", "  " } do fails("read_table.separator must be \",\", \";\", \"|\", \"\\t\" or \" \"", read_table, "1,2\n", { separator = separator }) end
fails("the file is empty", read_table, "")
fails(": no line has numbers alone: it is no table", read_table, "a,b\nc,d\n")
fails(":1: a zero byte", read_table, "1,2\0\n")
fails(":3: a zero byte", read_table, "1,2\n3,4\n\0")
fails("a text in UTF-16", read_table, "\xfe\xff\0001\0,\0002")
fails(":3: 1 value; the table has 3 columns", read_table, "a,b,c\n1,2,3\n1\n")
fails(":2: 2 values; the table has 3 columns", read_table, "1,2,3\n1,2\n")
fails(":2: 3 and more values; the table has 3 columns", read_table, "1,2,3\n1,2,3,4\n")
fails(":2: 3 and more values; the table has 3 columns", read_table, "1 2 3\n1 2 3 4\n")
-- the largest number of columns, and one column more
local function list(count, text) return table.concat({ (text .. ","):rep(count - 1) .. text }) .. "\n" end
t = read_table(list(512, "a") .. list(512, "3") .. list(512, "4"))
assert(#t.columns == 512 and t.columns[512][2] == 4 and t.names[512] == "a" and t.columns[1][1] == 3)
for _, separator in ipairs { ",", " " } do fails(":1: more than 512 columns", read_table, (list(513, "3"):gsub(",", separator))) end

-- ---- frames of a table: a column `frame` ----
do
  local rows, of = { "frame,x,y,z,radius,type" }, { { 3, "a" }, { 3, "b" }, { 5, "b" }, { 5, "c" }, { 5, "a" }, { 9, "c" } }
  for k, row in ipairs(of) do rows[k + 1] = ("%d,%d,0,%d,1,%s"):format(row[1], 10 * k, k, row[2]) end
  local text = table.concat(rows, "\n") .. "\n"
  for frame, want in pairs { [1] = { 1, 2, "ab" }, [2] = { 3, 5, "bca" }, [3] = { 6, 6, "c" }, [-1] = { 6, 6, "c" }, [-2] = { 3, 5, "bca" }, [-3] = { 1, 2, "ab" } } do
    local info = grain_file.look(text, { frame = frame })
    assert(info.frames == 3 and info.frame == (frame > 0 and frame or 4 + frame) and info.count == want[2] - want[1] + 1)
    assert(info.min[1] == 10 * want[1] and info.max[1] == 10 * want[2] and info.max[3] == want[2] and table.concat(info.types) == want[3], table.concat(info.types))
  end
  for _, frame in ipairs { 4, -4, 0 } do fails(("frame %d does not exist: there are 3"):format(frame), grain_file.look, text, { frame = frame }) end
  -- the line of a wrong value in a later frame
  fails(":6: column 3 (y): 'q' is no finite number", grain_file.look, (text:gsub("50,0", "50,q")), { frame = 2 })
end
print "grain_tables: ok"

-- Shared functions of the tests in Lua.
local check = {}

-- Asserts that the call fails with a message that contains the text; returns the message.
function check.fails(text, f, ...)
  local ok, message = pcall(f, ...)
  message = tostring(message)
  if ok then error("no error where one was due: " .. text, 2) end
  if not message:find(text, 1, true) then error("message '" .. message .. "' lacks '" .. text .. "'", 2) end
  return message
end

-- Asserts that a equals b to within the tolerance (1e-12) times max(1, |b|).
function check.near(a, b, tolerance, what)
  if math.abs(a - b) <= (tolerance or 1e-12) * math.max(1, math.abs(b)) then return end
  error(string.format("%s%.17g is not near %.17g", what and what .. ": " or "", a, b), 2)
end

-- Asserts that a equals b to within the tolerance.
function check.within(a, b, tolerance, what)
  if math.abs(a - b) <= tolerance then return end
  error(string.format("%s: %.17g, expected %.17g within %g", what or "value", a, b, tolerance), 2)
end

return check

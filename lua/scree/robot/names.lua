--- Names in messages.

local names = {}

--- Returns the key of a table that has the longest common beginning with a wrong name, or nil if the table is empty.
function names.nearest(name, known)
  local best, most = nil, -1
  for other in pairs(known) do
    local n = 0
    while n < #name and name:sub(n + 1, n + 1) == other:sub(n + 1, n + 1) do
      n = n + 1
    end
    if n > most or (n == most and other < best) then
      best, most = other, n
    end
  end
  return best
end

--- Returns "; did you mean X?" with the nearest name, "" if the table is empty.
function names.hint(name, known)
  local near = names.nearest(tostring(name), known)
  return near and ("; did you mean %q?"):format(near) or ""
end

--- Returns the message that no element of a kind has this name, or that the name itself is absent: nil.
function names.no(kind, name)
  if name == nil then return "it names no " .. kind end
  return ("there is no %s %q"):format(kind, tostring(name))
end

return names

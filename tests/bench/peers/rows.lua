-- Returns the rows of a file of numbers: a list of lists.
return function(path)
  local rows = {}
  for line in io.lines(path) do
    local row = {}
    for number in line:gmatch "%S+" do row[#row + 1] = tonumber(number) end
    rows[#rows + 1] = row
  end
  return rows
end

-- Limit analysis of plane structures of rigid blocks by the static theorem (Livesley 1978): the largest
-- factor of the live load for which forces in the joints balance all loads. The forces of a joint act at its
-- two ends. A force within a friction cone is a sum of the two edges of the cone with coefficients of at
-- least 0. A linear program finds these coefficients.
local limit = {}

-- ---- linear programs ----

local TOLERANCE = 1e-9 -- only costs below minus this value count as negative
local PIVOT = 1e-7 -- smallest absolute value of a pivot

-- Makes a column enter the basis in a row. Other rows change only where the entries of this row are not 0.
local function pivot(tableau, basis, row, column)
  local of, scale, filled = tableau[row], 1 / tableau[row][column], {}
  for k = 1, #of do
    if of[k] ~= 0 then
      of[k] = of[k] * scale
      filled[#filled + 1] = k
    end
  end
  for i, other in ipairs(tableau) do
    local f = other[column]
    if i ~= row and f ~= 0 then
      for _, k in ipairs(filled) do
        other[k] = other[k] - f * of[k]
      end
      other[column] = 0
    end
  end
  basis[row] = column
end

-- Returns the column that enters the basis: the column of the most negative cost or, if `bland`, the first
-- column of a negative cost (Bland's rule, which does not cycle).
local function find_entering(cost, columns, bland)
  local enter, least = nil, -TOLERANCE
  for k = 1, columns do
    if cost[k] < least then
      enter, least = k, cost[k]
      if bland then break end
    end
  end
  return enter
end

-- Maximises the cost, the last row of the tableau. Only the first `columns` columns may enter the basis.
-- Returns the maximum.
local function optimise(tableau, basis, rows, columns)
  local cost, last, steps = tableau[rows + 1], #tableau[1], 0
  while true do
    local enter = find_entering(cost, columns, steps > 5 * rows)
    if not enter then return cost[last] end
    local row, least
    for i = 1, rows do
      local a = tableau[i][enter]
      if a > PIVOT then
        local ratio = tableau[i][last] / a
        local tie = row and math.abs(ratio - least) <= 1e-12
        if not row or ratio < least - 1e-12 or (tie and a > tableau[row][enter]) then
          row, least = i, ratio
        end
      end
    end
    if not row then return math.huge end
    pivot(tableau, basis, row, enter)
    steps = steps + 1
  end
end

-- Returns the largest coefficient of the last column for which the sum of the columns, with coefficients of
-- at least 0, is the right-hand side. Returns nil if there is no such sum, infinity if the coefficient has no
-- bound. columns: lists of rows.
local function maximise(columns, right, rows)
  local n, tableau, basis = #columns, {}, {}
  for i = 1, rows + 1 do
    tableau[i] = {}
    for k = 1, n + rows + 1 do
      tableau[i][k] = 0
    end
  end
  local cost = tableau[rows + 1]
  for i = 1, rows do -- phase 1: every row has an artificial column, whose coefficient must become 0
    local sign = (right[i] or 0) < 0 and -1 or 1
    for k = 1, n do
      tableau[i][k] = sign * (columns[k][i] or 0)
      cost[k] = cost[k] - tableau[i][k]
    end
    tableau[i][n + i], tableau[i][n + rows + 1] = 1, sign * (right[i] or 0)
    cost[n + rows + 1] = cost[n + rows + 1] - tableau[i][n + rows + 1]
    basis[i] = n + i
  end
  if optimise(tableau, basis, rows, n) < -1e-7 then return nil end
  for i = 1, rows do -- artificial columns leave the basis, if a column can replace them
    local best, most = nil, 1e-7
    for k = 1, basis[i] > n and n or 0 do
      if math.abs(tableau[i][k]) > most then
        best, most = k, math.abs(tableau[i][k])
      end
    end
    if best then pivot(tableau, basis, i, best) end
  end
  for k = 1, n + rows + 1 do
    cost[k] = 0
  end
  cost[n] = -1
  for i = 1, rows do
    if basis[i] == n then pivot(tableau, basis, i, n) end
  end
  return optimise(tableau, basis, rows, n)
end

-- ---- blocks ----

-- Returns area and centre of a polygon { { x, z }, ... }.
function limit.polygon(points)
  local area, x, z = 0, 0, 0
  for i, p in ipairs(points) do
    local q = points[i % #points + 1]
    local c = p[1] * q[2] - q[1] * p[2]
    area, x, z = area + c / 2, x + (p[1] + q[1]) * c / 6, z + (p[2] + q[2]) * c / 6
  end
  return math.abs(area), { x / area, z / area }
end

-- Adds a force f at the point p on block b to a column of the linear program. Rows 3 b - 2, 3 b - 1 and 3 b
-- are the balance of forces and moment of block b.
local function add_force(column, blocks, b, p, f, sign)
  if not blocks[b] then return end -- the ground
  local c = blocks[b].centre
  column[3 * b - 2] = (column[3 * b - 2] or 0) + sign * f[1]
  column[3 * b - 1] = (column[3 * b - 1] or 0) + sign * f[2]
  column[3 * b] = (column[3 * b] or 0) + sign * ((p[1] - c[1]) * f[2] - (p[2] - c[2]) * f[1])
end

-- Returns the largest factor of the live load. blocks: { centre = { x, z } }. joints: { a, b, ends = { p, q
-- }, normal, mu }: the normal points from block b (0: the ground) to block a; mu replaces the argument mu.
-- dead, live: lists of { block, point, force }. free: list of forces { block, point,
-- force }; the linear program chooses their coefficients (at least 0).
function limit.factor(blocks, joints, mu, dead, live, free)
  local columns, right, last = {}, {}, {}
  for _, joint in ipairs(joints) do
    local n, mu_of = joint.normal, joint.mu or mu
    for _, p in ipairs(joint.ends) do
      for _, s in ipairs { mu_of, -mu_of } do
        local column, f = {}, { n[1] - s * n[2], n[2] + s * n[1] }
        add_force(column, blocks, joint[1], p, f, 1)
        add_force(column, blocks, joint[2], p, f, -1)
        columns[#columns + 1] = column
      end
    end
  end
  for _, load in ipairs(free or {}) do
    local column = {}
    add_force(column, blocks, load[1], load[2], load[3], 1)
    columns[#columns + 1] = column
  end
  for _, load in ipairs(live) do
    add_force(last, blocks, load[1], load[2], load[3], 1)
  end
  columns[#columns + 1] = last
  for _, load in ipairs(dead) do
    add_force(right, blocks, load[1], load[2], load[3], -1)
  end
  return maximise(columns, right, 3 * #blocks)
end

-- Returns blocks and joints of an arch on the ground. The arch lies between the angles -angle/2 and angle/2
-- from the vertical.
function limit.arch(radius, thickness, angle, n)
  local r1, r2, blocks, joints = radius - thickness / 2, radius + thickness / 2, {}, {}
  local function at(r, k)
    local a = angle * (k / n - 0.5)
    return { r * math.sin(a), r * math.cos(a) }
  end
  for i = 1, n do
    local area, centre = limit.polygon { at(r1, i - 1), at(r2, i - 1), at(r2, i), at(r1, i) }
    blocks[i] = { centre = centre, area = area }
  end
  for k = 0, n do
    local a = angle * (k / n - 0.5)
    joints[k + 1] = { k + 1 <= n and k + 1 or 0, k, ends = { at(r1, k), at(r2, k) }, normal = { math.cos(a), -math.sin(a) } }
  end
  return blocks, joints
end

-- Returns the weights of the blocks with unit weight per area, as loads.
function limit.weights(blocks)
  local loads = {}
  for i, block in ipairs(blocks) do
    loads[i] = { i, block.centre, { 0, -block.area } }
  end
  return loads
end

-- Returns the value between low and high at which is_stable(value) begins to be true.
function limit.bisect(low, high, is_stable)
  for _ = 1, 20 do
    local middle = (low + high) / 2
    if is_stable(middle) then
      high = middle
    else
      low = middle
    end
  end
  return high
end

return limit

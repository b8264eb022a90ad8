-- Records how friction acts at the contacts of a flow: ratio of friction to its bound, angle between friction
-- and slip, anisotropy of the Delassus blocks. The scenes channel_laws.lua and heap_laws.lua use it.

local impact = require("scree").impact

local figures = {}

local BINS = 90 -- bins of both histograms: 2 degrees, and 1/90 of the bound

local SLIDES = 0.99 -- a contact slides if its friction exceeds this share of its bound

local function bins()
  local list = {}
  for i = 1, BINS do
    list[i] = 0
  end
  return list
end

-- Returns an empty record. `slow` is the slip [m/s] below which a contact has no direction of slip.
local function new_record(slow)
  return {
    slow = slow,
    loaded = 0, -- contacts that carry an impulse
    sliding = 0,
    mobilised = 0, -- sum of |f_t| / (mu f_n)
    bound = 0, -- sum of mu times normal impulses
    friction = 0, -- sum of friction impulses
    lost = 0, -- sum of friction impulse times slip [J]
    angles = bins(), -- histogram; weight of a contact: friction impulse times slip
    ratios = bins(), -- histogram; weight of a contact: 1
    angle = 0, -- sum of angle times weight
    weight = 0,
    blocks = 0,
    anisotropy = 0,
    coupling = 0,
  }
end

--- Returns records of both laws for `compare_laws`. `exact` is a world with the settings of the world of the
--- run, but with sweeps and a tolerance that solve a step exactly.
function figures.compare(exact, slow)
  return {
    exact = exact,
    coulomb = new_record(slow),
    max_dissipation = new_record(slow),
    samples = 0,
    residual = 0,
    moved = 0, -- sum of |difference of friction impulses|
  }
end

local function add_to(list, share, amount)
  local bin = math.min(BINS, 1 + math.floor(share * BINS))
  list[bin] = list[bin] + amount
end

-- Returns the velocity of the point of a body that was in contact at the start of the step.
local function point_velocity(body, point, dt)
  local x, y, z = body:position()
  local vx, vy, vz = body:velocity()
  local wx, wy, wz = body:spin()
  local rx, ry, rz = point[1] - x + dt * vx, point[2] - y + dt * vy, point[3] - z + dt * vz
  return vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx
end

local function description(body, dt)
  local x, y, z = body:position()
  local vx, vy, vz = body:velocity()
  return {
    mass = body:mass(),
    inertia = { body:inertia() },
    position = { x - dt * vx, y - dt * vy, z - dt * vz },
    orientation = { body:orientation() },
    velocity = { vx, vy, vz },
    spin = { body:spin() },
  }
end

-- Adds two numbers of the Delassus block of a contact to a record. Anisotropy: 1 minus the ratio of the
-- smallest to the largest eigenvalue of the tangential part. Coupling: the entries between normal and
-- tangents, divided by the normal entry.
local function add_block(record, c, dt)
  local W = impact.inverse_inertia {
    body1 = description(c.body1, dt),
    body2 = description(c.body2, dt),
    point = c.point,
    normal = c.normal,
  }
  local mean, half = (W[1][1] + W[2][2]) / 2, (W[1][1] - W[2][2]) / 2
  local root = math.sqrt(half ^ 2 + W[1][2] ^ 2)
  record.blocks = record.blocks + 1
  record.anisotropy = record.anisotropy + 1 - (mean - root) / (mean + root)
  record.coupling = record.coupling + math.sqrt(W[1][3] ^ 2 + W[2][3] ^ 2) / W[3][3]
end

-- Adds a contact of two grains with a normal impulse to a record.
local function add_contact(record, c, mu, dt)
  local n, p = c.normal, c.impulse
  local normal = p[1] * n[1] + p[2] * n[2] + p[3] * n[3]
  local tx, ty, tz = p[1] - normal * n[1], p[2] - normal * n[2], p[3] - normal * n[3]
  local friction = math.sqrt(tx * tx + ty * ty + tz * tz)
  local ratio = math.min(1, friction / (mu * normal))
  record.loaded = record.loaded + 1
  record.mobilised = record.mobilised + ratio
  record.bound = record.bound + mu * normal
  record.friction = record.friction + friction
  add_to(record.ratios, ratio, 1)
  if ratio < SLIDES then return end
  local ax, ay, az = point_velocity(c.body1, c.point, dt)
  local bx, by, bz = point_velocity(c.body2, c.point, dt)
  local ux, uy, uz = ax - bx, ay - by, az - bz
  local un = ux * n[1] + uy * n[2] + uz * n[3]
  ux, uy, uz = ux - un * n[1], uy - un * n[2], uz - un * n[3]
  local slip = math.sqrt(ux * ux + uy * uy + uz * uz)
  if slip < record.slow then return end
  record.sliding = record.sliding + 1
  local cosine = -(tx * ux + ty * uy + tz * uz) / (friction * slip)
  local angle, weight = math.acos(math.max(-1, math.min(1, cosine))), friction * slip
  add_to(record.angles, angle / math.pi, weight)
  record.angle = record.angle + angle * weight
  record.weight = record.weight + weight
  record.lost = record.lost + weight * cosine
end

-- Adds the contacts of the last step between two grains to a record. Returns the list of the friction
-- impulses of these contacts.
local function add(record, w, material, mu)
  local dt, count, frictions = w:dt(), 0, {}
  for c in w:contacts() do
    if c.material1 == material and c.material2 == material then
      local n, p = c.normal, c.impulse
      local normal = p[1] * n[1] + p[2] * n[2] + p[3] * n[3]
      frictions[#frictions + 1] = { p[1] - normal * n[1], p[2] - normal * n[2], p[3] - normal * n[3] }
      if normal > 0 then
        add_contact(record, c, mu, dt)
        count = count + 1
        if count % 50 == 0 then add_block(record, c, dt) end
      end
    end
  end
  return frictions
end

--- Solves the next step of the world exactly by both laws, from the present state, and adds the contacts of
--- both solutions to the records. materials: materials of grains and walls. The world itself does not change.
function figures.compare_laws(records, w, materials, mu)
  local state, exact, frictions = w:save(), records.exact, {}
  for _, law in ipairs { "coulomb", "max_dissipation" } do
    exact:restore(state)
    for _, other in ipairs(materials) do
      exact:pair { materials[1], other, law = law, mu = mu }
    end
    exact:step(1)
    frictions[law] = add(records[law], exact, materials[1], mu)
    records.residual = math.max(records.residual, exact:report().residual)
  end
  local a, b = frictions.coulomb, frictions.max_dissipation
  for i = 1, math.min(#a, #b) do
    local dx, dy, dz = a[i][1] - b[i][1], a[i][2] - b[i][2], a[i][3] - b[i][3]
    records.moved = records.moved + math.sqrt(dx * dx + dy * dy + dz * dz)
  end
  records.samples = records.samples + 1
end

--- Returns rows for the report of a scene.
function figures.rows(records)
  local rows = {}
  for _, law in ipairs { "coulomb", "max_dissipation" } do
    local record = records[law]
    local function mean(name, over) return record[over] > 0 and record[name] / record[over] or nil end
    local angle, name = mean("angle", "weight"), ", " .. law:gsub("_", " ")
    for _, row in ipairs {
      { "sliding contacts" .. name, 100 * (mean("sliding", "loaded") or 0), "%" },
      { "mean of friction over its bound" .. name, mean("mobilised", "loaded") },
      { "sum of friction over sum of bounds" .. name, mean("friction", "bound") },
      { "angle between friction and slip" .. name, angle and math.deg(angle), "deg" },
      { "friction work in a step" .. name, record.lost / math.max(1, records.samples), "J" },
    } do
      rows[#rows + 1] = row
    end
  end
  local record = records.coulomb
  rows[#rows + 1] = { "difference of friction impulses over their sum", records.moved / math.max(record.friction, 1e-300) }
  rows[#rows + 1] = { "anisotropy of the tangential blocks", record.anisotropy / math.max(1, record.blocks) }
  rows[#rows + 1] = { "coupling of normal and tangent", record.coupling / math.max(1, record.blocks) }
  rows[#rows + 1] = { "largest residual of the compared steps", records.residual, "m/s" }
  return rows
end

--- Returns the histograms as CSV: the share of each bin.
function figures.histograms(records)
  local rows, columns = { "angle_deg,ratio" }, {}
  for _, law in ipairs { "coulomb", "max_dissipation" } do
    for _, list in ipairs { records[law].angles, records[law].ratios } do
      local sum = 0
      for _, value in ipairs(list) do
        sum = sum + value
      end
      columns[#columns + 1] = { list, sum > 0 and sum or 1 }
    end
    rows[1] = rows[1] .. ("," .. law .. "_angle_share," .. law .. "_ratio_share")
  end
  for i = 1, BINS do
    local line = { ("%g,%.4f"):format(180 * (i - 0.5) / BINS, (i - 0.5) / BINS) }
    for _, column in ipairs(columns) do
      line[#line + 1] = ("%.6g"):format(column[1][i] / column[2])
    end
    rows[#rows + 1] = table.concat(line, ",")
  end
  return table.concat(rows, "\n") .. "\n"
end

return figures

-- reuse_contacts: contacts are found once per step and move with their bodies in its substeps.
local scree = require "scree"
local check = require "check"
local near = check.near

local function world(t, mu)
  local all = { gravity = { 0, 0, -9.81 }, dt = 1 / 60, substeps = 4, reuse_contacts = true, solver = { iterations = 200, tolerance = 1e-12 } }
  for k, v in pairs(t or {}) do all[k] = v end
  local w = scree.world(all)
  w:pair { "default", "default", mu = mu or 0.5 }
  return w
end

-- a contact that closes in the last substep is found at the start of the step
for _, shape in ipairs { { type = "sphere", radius = 0.5 }, { type = "box", size = { 1, 1, 1 } } } do
  local w = world()
  w:halfspace { normal = { 0, 0, 1 } }
  local b = w:body { shapes = { shape }, position = { 0, 0, 0.54 }, velocity = { 0, 0, -3 } }
  w:step(1)
  local _, _, z = b:position()
  near(z, 0.5, 1e-12, shape.type .. " on the ground after the step that it falls in")
end

-- against contacts that are found in each substep: a box that slides and tips over an edge, a hull that rolls; the difference is of second order
local function tipped(dt, reuse)
  local w = world({ dt = dt, reuse_contacts = reuse }, 1)
  w:halfspace { normal = { 0, 0, 1 } }
  w:body { shapes = { { type = "box", size = { 0.1, 4, 0.1 } } }, position = { 1, 0, 0.05 }, kind = "fixed" }
  local box = w:body { shapes = { { type = "box", size = { 0.6, 1, 1 } } }, position = { 0.3, 0, 0.5 }, velocity = { 1.5, 0, 0 } }
  w:step(math.floor(0.4 / dt + 0.5))
  local x, y, z = box:position()
  return { x, y, z }
end
local function apart(dt)
  local sum, a, b = 0, tipped(dt, true), tipped(dt, false)
  for k = 1, 3 do sum = sum + (a[k] - b[k]) ^ 2 end
  return math.sqrt(sum)
end
local coarse, fine = apart(1 / 60), apart(1 / 240)
assert(coarse < 5e-3, "the box is " .. coarse .. " m off")
assert(fine < 0.3 * coarse, ("steps of a quarter bring %g m to %g m only"):format(coarse, fine))

-- a pile of all shapes: the same bits on any number of threads; it comes to rest as other piles do
local function pile(threads, more)
  local w = world { threads = threads, solver = { iterations = 20, tolerance = 1e-9, contacts_per_thread = 0 }, sleep = more and more.sleep, cell = more and more.cell }
  w:halfspace { normal = { 0, 0, 1 } }
  math.randomseed(3)
  for i = 0, 31 do
    local shape = ({ { type = "sphere", radius = 0.5 }, { type = "box", size = { 0.8, 0.8, 0.8 } }, { type = "capsule", radius = 0.3, length = 0.5 } })[i % 3 + 1]
    w:body { shapes = { shape }, position = { i % 4 * 1.1 + 0.05 * math.random(), i // 4 % 4 * 1.1, 0.6 + i // 16 * 1.2 } }
  end
  return w
end
local one, two = pile(1), pile(2)
one:step(30)
two:step(30)
assert(one:hash() == two:hash(), "two threads step otherwise than one")
one:step(90)
assert(one:report().penetration < 1e-3, "penetration " .. one:report().penetration)

-- spheres are measured again wherever they are: one that a box is far from has the path of one alone
local function rolled(company)
  local w = world()
  w:body { shapes = { { type = "sphere", radius = 2 } }, kind = "fixed" }
  local ball = w:sphere { radius = 0.5, position = { 0.1, 0, 2.5 } }
  if company then w:body { shapes = { { type = "box", size = { 1, 1, 1 } } }, position = { 50, 0, 0 }, kind = "fixed" } end
  w:step(40)
  return ball
end
local alone, beside = { rolled(false):position() }, { rolled(true):position() }
for k = 1, 3 do near(beside[k], alone[k], 1e-13, "a sphere beside a box") end

-- in a cell and with bodies that fall asleep
local w = pile(1, { sleep = 1e-3 })
w:step(400)
assert(w:report().asleep > 0, "nothing fell asleep")
w = pile(1, { cell = { size = { 4.4, 4.4, 8 }, periodic = { true, true, false } } })
w:step(120)
assert(w:report().penetration < 1e-3, "penetration in a cell: " .. w:report().penetration)

-- a problem that is written is the coming step's, with contacts of its own
local before = w:hash()
local file = os.tmpname() .. ".prob"
w:dump_problem(file)
os.remove(file)
assert(w:hash() == before)

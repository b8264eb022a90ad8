-- The artefact of the cone problem (Negrut, Serban & Tasora 2018): under law `cone` a body whose contact slips at s hovers at mu dt s
-- above the floor; under `coulomb` and `max_dissipation` it stays down. A block, or a sphere without spin that friction sets rolling, starts
-- at that height, where it slides as Coulomb says: the slip falls by c mu g dt a step, c = 1 for the block, 7/2 for the sphere.
--   scree run scenes/bowling_artifact.lua law=cone shape=sphere
local RADIUS = 0.1
local function slip(w, p)
  local v = w:find("body"):velocity()
  local _, spin = w:find("body"):spin()
  return p.shape == "sphere" and v - RADIUS * spin or v
end
local function slowing(p) return (p.shape == "sphere" and 3.5 or 1) * p.mu * 9.81 end

return {
  title = "lift of a sliding body under the cone law",
  params = { law = "cone", shape = "block", mu = 0.3, speed = 5, dt = 1e-3, time = 0.4, solver = "apgd" },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      erp = 1,
      margin = 1.1 * p.mu * p.dt * p.speed / RADIUS, -- a contact is kept up to the lift
      solver = { name = p.solver, iterations = 2000, tolerance = 1e-10 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    -- on the plane the lift would be a launch at mu s; the body starts where the law wants it
    local lift = p.law == "cone" and p.mu * p.dt * (p.speed - slowing(p) * p.dt) or 0
    local def = { name = "body", velocity = { p.speed, 0, 0 }, mass = 1 }
    if p.shape == "sphere" then
      def.radius, def.position = RADIUS, { 0, 0, RADIUS + lift }
      w:sphere(def)
    else
      def.size, def.position = { 0.4, 0.4, 2 * RADIUS }, { 0, 0, RADIUS + lift }
      w:box(def)
    end
    w.state.worst, w.state.height, w.state.slip, w.state.want = 0, lift, p.speed, lift
  end,
  after_step = function(w, p)
    local _, _, z = w:find("body"):position()
    w.state.height, w.state.slip = z - RADIUS, slip(w, p)
    w.state.want = p.law == "cone" and p.mu * p.dt * w.state.slip or 0
    w.state.worst = math.max(w.state.worst, math.abs(w.state.height - w.state.want))
  end,
  stop = function(w, p) return w:time() >= p.time - p.dt / 2 end,
  output = {
    trajectory = { every = 0.05 },
    series = {
      every = 0.01,
      values = function(w)
        return { height = w.state.height, slip = w.state.slip, mu_dt_s = w.state.want }
      end,
    },
  },
  report = function(w, p)
    local s = w.state
    return {
      { "height", 1e3 * s.height, "mm" },
      { "mu dt s", 1e3 * p.mu * p.dt * s.slip, "mm" },
      { "largest difference in the run", 1e3 * s.worst, "mm" },
      { "slip", s.slip, "m/s" },
      { "slip by Coulomb", p.speed - slowing(p) * p.time, "m/s" },
    }
  end,
}

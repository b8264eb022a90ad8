-- The artefact of the cone problem (Negrut, Serban & Tasora 2018): under the law `cone` a body that slips at
-- the speed s hovers at the height mu dt s above the floor. Under `coulomb` and `max_dissipation` it stays on
-- the floor.
--
-- A block, or a sphere that friction brings to rolling, starts at this height and slides with Coulomb
-- friction. Its slip decreases by c mu g dt per step, with c = 1 for the block and 7/2 for the sphere.
--   scree run scenes/bowling_artifact.lua law=cone shape=sphere
local RADIUS = 0.1
-- Returns the tangential velocity of the contact point [m/s].
local function slip(w, p)
  local v = w:find("body"):velocity()
  local _, spin = w:find("body"):spin()
  return p.shape == "sphere" and v - RADIUS * spin or v
end
-- Returns the deceleration of the slip by Coulomb's law [m/s2].
local function slowing(p) return (p.shape == "sphere" and 3.5 or 1) * p.mu * 9.81 end

return {
  title = "lift of a sliding body under the cone law",
  params = { law = "cone", shape = "block", mu = 0.3, speed = 5, dt = 1e-3, time = 0.4, solver = "apgd" },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      erp = 1,
      -- contacts must exist up to the height at which the body hovers
      margin = 1.1 * p.mu * p.dt * p.speed / RADIUS,
      solver = { name = p.solver, iterations = 2000, tolerance = 1e-10 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    -- The body starts at the height that the law leads to. If it started on the plane, the law would throw it
    -- up at the speed mu s.
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

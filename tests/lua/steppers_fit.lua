-- Tests every stepper and solver with every joint, drive, bond, cell, law, shape and option. Each feature satisfies its closed form, or
-- raises an error that names the feature and an alternative. docs/solvers.md has the tables.
local scree = require "scree"
local sweep = require "sweep"

-- Returns the keys of a table in alphabetical order.
local function sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local features = {}
for _, lib in ipairs { "fit_joints", "fit_contacts", "fit_laws" } do
  for name, try in pairs(require(lib)) do
    assert(not features[name], name)
    features[name] = try
  end
end

function features.law_hooke_rolling(open)
  local w = open()
  w:pair { "default", "default", law = "hooke", stiffness = 1e5, rolling_friction = 0.1 }
end

-- Words of errors, by stepper and by solver. The key of a row lists its features.
local no_joints, no_law = 'the stepper "penalty" takes no joints; semi_implicit takes all', 'the stepper "penalty" needs law "hooke" or "hertz", not '
local refused = {
  semi_implicit = { ["law_hooke_rolling"] = 'law "hooke" has it with the stepper "penalty" alone; with "semi_implicit" take law "coulomb"' },
  stewart_trinkle = {
    ["servo joint_spring spring bushing turn_spring turn_servo armature"] = 'springs, servos and armatures need the stepper semi_implicit; this world has "stewart_trinkle"',
    ["bond"] = "takes no bonds",
    ["sheared_cell stressed_cell"] = 'the stepper "stewart_trinkle" deforms no cell; semi_implicit does',
    ["restitution tangential_restitution"] = 'impacts under the stepper "stewart_trinkle" are inelastic; semi_implicit takes restitution',
    ["sleep"] = "world.sleep has no effect with the stepper stewart_trinkle, only with the stepper semi_implicit",
    ["max_correction"] = "world.max_correction has no effect with the stepper stewart_trinkle, only with the stepper semi_implicit, second_order",
    ["drift_time"] = "world.drift_time has no effect with the stepper stewart_trinkle, only with the stepper semi_implicit, second_order",
    ["law_hooke_rolling"] = 'law "hooke" has it with the stepper "penalty" alone; with "stewart_trinkle" take law "coulomb"',
    ["law_joint"] = 'under the stepper "stewart_trinkle" contacts are rigid',
  },
  second_order = {
    ["servo joint_spring spring bushing turn_spring turn_servo armature"] = 'springs, servos and armatures need the stepper semi_implicit; this world has "second_order"',
    ["bond"] = "takes no bonds",
    ["sheared_cell stressed_cell"] = 'the stepper "second_order" deforms no cell; semi_implicit does',
    ["sleep"] = "world.sleep has no effect with the stepper second_order, only with the stepper semi_implicit",
    ["reuse_contacts"] = "world.reuse_contacts has no effect with the stepper second_order, only with the stepper semi_implicit, stewart_trinkle, penalty",
    ["law_hooke_rolling"] = 'law "hooke" has it with the stepper "penalty" alone; with "second_order" take law "coulomb"',
    ["law_joint"] = 'under the stepper "second_order" contacts are rigid',
  },
  penalty = {
    ["ball hinge slider cylindrical universal fixed distance rope gear rack motor force limits friction ball_friction swing servo armature joint_spring spring bushing turn_spring turn_servo breaks servo_wall rigid_bond exact_bond"] = no_joints,
    ["bond"] = 'the stepper "penalty" takes no bonds; semi_implicit does',
    ["sheared_cell stressed_cell"] = 'the stepper "penalty" deforms no cell; semi_implicit does',
    ["restitution tangential_restitution"] = 'with the stepper "penalty" damping gives the rebound (docs/penalty.md); semi_implicit takes restitution',
    ["sleep"] = "world.sleep has no effect with the stepper penalty, only with the stepper semi_implicit",
    ["max_correction"] = "world.max_correction has no effect with the stepper penalty, only with the stepper semi_implicit, second_order",
    ["drift_time"] = "world.drift_time has no effect with the stepper penalty, only with the stepper semi_implicit, second_order",
    ["correction_velocity"] = "has no effect with the stepper penalty, only with the stepper semi_implicit",
    ["solver_name"] = 'world.solver.name: the stepper "penalty" has no solver; leave "nbgs" out',
    ["torsion"] = "pair.torsion is not a known key",
    ["law_coulomb"] = no_law .. '"coulomb"', ["law_cone"] = no_law .. '"cone"', ["law_max_dissipation"] = no_law .. '"max_dissipation"',
    ["law_decoupled"] = no_law .. '"decoupled"', ["law_polyhedral"] = no_law .. '"polyhedral"', ["law_twisted"] = no_law .. '"twisted"',
    ["law_joint"] = no_law .. '"joint"',
    ["law_frictionless law_frictionless_parts"] = no_law .. '"frictionless"', ["law_directional"] = no_law .. '"directional"',
    ["law_fit_smooth"] = no_law .. '"fit_smooth"', ["law_fit_smooth_bare"] = no_law .. '"fit_smooth_bare"', ["law_on_a_base"] = no_law .. '"fit_half"',
    ["mu_static weakening"] = "pair.mu_static is not a known key", ["mu2"] = "pair.mu2 is not a known key",
  },
}
local function by_solver(solver, more)
  local rows = { ["bond"] = 'solver "' .. solver .. '" takes no bonds; auto and nbgs do; exact = true makes fixed joints of them',
    ["stressed_cell"] = 'the solver "' .. solver .. '" takes no cell that stress drives; auto and nbgs do' }
  for names, why in pairs(more) do rows[names] = why end
  return rows
end
local function cannot(solver, law, why) return 'the solver "' .. solver .. '" cannot take law "' .. law .. '": it ' .. why .. "; auto and nbgs can" end
local function convex(solver)
  local rows = { ["mu_static"] = cannot(solver, "coulomb", "has mu_static above mu"), ["law_fit_smooth"] = cannot(solver, "fit_smooth", "has no convex set of impulses"),
    ["law_fit_smooth_bare"] = cannot(solver, "fit_smooth_bare", "has no convex set of impulses"),
    ["law_on_a_base"] = cannot(solver, "fit_half", "has no convex set of impulses") }
  for _, law in ipairs { "max_dissipation", "decoupled", "polyhedral", "directional", "twisted", "joint" } do
    rows["law_" .. law] = cannot(solver, law, "has no convex set of impulses")
  end
  return by_solver(solver, rows)
end
local solvers = { auto = {}, nbgs = {}, pgs = by_solver("pgs", {}), apgd = convex "apgd", spg = convex "spg", newton = convex "newton", ipm = convex "ipm",
  lemke = by_solver("lemke", {
    ["torsion rolling rolling_capsule"] = cannot("lemke", "coulomb", "has torsional or rolling friction"),
    ["mu_static"] = cannot("lemke", "coulomb", "has mu_static above mu"),
    ["mu2"] = cannot("lemke", "coulomb", "has mu2, which directional gives by its vectors"),
    ["law_fit_smooth"] = cannot("lemke", "fit_smooth", "is defined by a script"),
    ["law_fit_smooth_bare"] = cannot("lemke", "fit_smooth_bare", "is defined by a script"),
    ["law_on_a_base"] = cannot("lemke", "fit_half", "is defined by a script"),
    ["law_cone"] = cannot("lemke", "cone", "is none of coulomb, polyhedral, directional and frictionless"),
    ["law_max_dissipation"] = cannot("lemke", "max_dissipation", "is none of coulomb, polyhedral, directional and frictionless"),
    ["law_decoupled"] = cannot("lemke", "decoupled", "is none of coulomb, polyhedral, directional and frictionless"),
    ["law_twisted"] = cannot("lemke", "twisted", "is none of coulomb, polyhedral, directional and frictionless"),
    ["law_joint"] = cannot("lemke", "joint", "is none of coulomb, polyhedral, directional and frictionless"),
  }) }

local function words_of(rows, feature)
  for names, words in pairs(rows) do
    for name in names:gmatch "%S+" do
      assert(features[name], "no feature " .. name)
      if name == feature then return words end
    end
  end
end

-- hooke has no `rolling`, a length, but rolling_friction, a share of the radius, which is 0.1 m in these tests.
local function rule_of(stepper, pair)
  local rule = { "default", "default", mu = 0.5 }
  if stepper == "penalty" then rule.law, rule.stiffness, rule.damping = "hooke", 1e5, 0.5 end
  for key, value in pairs(pair or {}) do rule[key] = value end
  if stepper == "penalty" and rule.rolling then rule.rolling, rule.rolling_friction = nil, rule.rolling * 10 end
  if rule.law ~= "hooke" then rule.stiffness = nil end
  if rule.law ~= "hooke" and rule.law ~= "hertz" then rule.damping = nil end
  if rule.law == "frictionless" or rule.law == "directional" or (rule.law or ""):find "^fit_smooth" then rule.mu = nil end
  return rule
end

local function try(stepper, solver, feature)
  local soft = stepper == "penalty"
  local function open(extra, pair)
    local def = { gravity = { 0, 0, -10 }, dt = soft and 1e-4 or 1e-3, stepper = stepper, solver = { name = solver } }
    if not soft then def.solver.tolerance = 1e-10 end
    if not soft and solver ~= "lemke" then def.solver.iterations = 1500 end
    for key, value in pairs(extra or {}) do def[key] = value end
    local w = scree.world(def)
    w:pair(rule_of(stepper, pair))
    return w
  end
  local function run(w, time, before, after)
    for _ = 1, math.floor(time / w:dt() + 0.5) do
      if before then before() end
      w:step()
      if after then after() end
    end
  end
  return pcall(features[feature], open, run, soft and 1e-3 or 1e-7)
end

local wrong, works, refusals = {}, 0, 0
-- The quick tests run all features with each solver under semi_implicit and penalty. Under another stepper they run every second feature
-- with one solver, and the remaining features with the next solver.
local feature_names, shift = sorted(features), 0
local function examine(stepper, solver)
  shift = shift + 1
  for k, feature in ipairs(feature_names) do
    local is_sampled = stepper == "stewart_trinkle" or stepper == "second_order"
    if is_sampled and not sweep.whole and (k + shift) % 2 == 1 then goto continue end
    local words = words_of(refused[stepper], feature) or words_of(solvers[solver], feature)
    if stepper ~= "semi_implicit" and feature == "bond" then words = "takes no bonds" end
    local ok, message = try(stepper, solver, feature)
    if words then refusals = refusals + 1 else works = works + 1 end
    if words and ok then wrong[#wrong + 1] = ("%s, %s, %s: not refused (%s)"):format(stepper, solver, feature, words)
    elseif not words and not ok or words and not tostring(message):find(words, 1, true) then
      wrong[#wrong + 1] = ("%s, %s, %s: %s"):format(stepper, solver, feature, message)
    end
    ::continue::
  end
end
for _, solver in ipairs(sorted(solvers)) do -- ipm is the former name of newton
  for _, stepper in ipairs(solver == "ipm" and { "second_order" } or { "semi_implicit", "stewart_trinkle", "second_order" }) do examine(stepper, solver) end
end
examine("penalty", "auto")
table.sort(wrong)
for _, line in ipairs(wrong) do print(line) end
assert(#wrong == 0, #wrong .. " combinations are wrong")
print(works .. " combinations work, " .. refusals .. " are refused")

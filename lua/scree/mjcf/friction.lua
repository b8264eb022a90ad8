--- Friction of MJCF geoms as materials and pairs. If two geoms in contact have equal priority, the larger
--- values of friction and condim apply. Otherwise the values of the geom with the higher priority apply.

local friction = {}

-- Returns the name of the material with a friction. Materials of different models have equal names only if
-- their friction is equal.
local function name_of(f)
  local name = ("friction %g"):format(f.mu)
  if f.condim == 1 then name = "friction none" end
  if f.condim > 3 then name = ("%s torsion %g"):format(name, f.torsion) end
  if f.condim > 4 then name = ("%s rolling %g"):format(name, f.rolling) end
  return f.priority ~= 0 and ("%s rank %d"):format(name, f.priority) or name
end

-- Returns the friction keys of w:pair (mu, torsion, rolling) for two geoms with the frictions a and b.
local function combine(a, b)
  local f = a
  if b.priority > a.priority then
    f = b
  elseif a.priority == b.priority then
    f = {
      mu = math.max(a.mu, b.mu),
      torsion = math.max(a.torsion, b.torsion),
      rolling = math.max(a.rolling, b.rolling),
      condim = math.max(a.condim, b.condim),
    }
  end
  local pair = { mu = f.condim > 1 and f.mu or 0 }
  if f.condim >= 4 then pair.torsion = f.torsion end
  if f.condim >= 6 then pair.rolling = f.rolling end
  return pair
end

--- Sets the material of shapes, and the lists `materials` and `pairs` of the model. Each entry of the list
--- has `friction`. In explicit pairs it also has `own_friction`: the friction with each partner, by name.
function friction.apply(model, list)
  local found, names, own = {}, {}, 0
  for _, entry in ipairs(list) do
    local name = name_of(entry.friction)
    if entry.own_friction then
      own = own + 1
      name = ("geom %d of %.40s"):format(own, model.name or "a model")
    end
    if not found[name] then
      found[name], names[#names + 1] = entry, name
    end
    entry.shape.material = name
  end
  local pairs_of = {}
  for i, name in ipairs(names) do
    local a = found[name]
    for k = i, #names do
      local b = found[names[k]]
      local f = a.own_friction and a.own_friction[b.paired or ""]
      local pair = combine(f or a.friction, f or b.friction)
      pair[1], pair[2] = name, names[k]
      pairs_of[#pairs_of + 1] = pair
    end
    local pair = combine(a.friction, a.friction)
    pair[1], pair[2] = "default", name
    pairs_of[#pairs_of + 1] = pair
  end
  if #names > 0 then
    model.materials, model.pairs = names, pairs_of
  end
end

return friction

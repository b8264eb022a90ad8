-- Ten thousand random scenes keep momentum and energy (../lua/lib/random_scene.lua); tests/lua has the first hundred.
local random_scene = assert(load(assert(io.open "tests/lua/lib/random_scene.lua"):read "a", "@random_scene.lua"))()
local refused = 0
for seed = 1, 10000 do refused = refused + (random_scene.try(seed, 40) and 0 or 1) end
assert(refused <= 500, refused .. " scenes are refused")
print(10000 - refused .. " scenes, " .. refused .. " refused")

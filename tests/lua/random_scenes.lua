-- A hundred random scenes conserve momentum and energy (lib/random_scene.lua); tests/slow has ten thousand.
local random_scene = require "random_scene"
local refused = 0
for seed = 1, 100 do refused = refused + (random_scene.try(seed, 40) and 0 or 1) end
assert(refused <= 10, refused .. " scenes are refused")

-- A hundred random scenes keep momentum and energy (lib/random_scene.lua); tests/slow has ten thousand.
local random_scene = require "lib.random_scene"
for seed = 1, 100 do random_scene.try(seed, 40) end

-- The car of car.lua drives on a bed of grains with rolling friction. Speed and torque are lower, so that the
-- wheels do not dig themselves in.
local car = require "car"
car.title = "car_on_grains"
car.params.ground, car.params.speed, car.params.torque, car.params.time = "grains", 6, 250, 2.5
return car

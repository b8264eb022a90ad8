-- The car of car.lua on a bed of grains with rolling friction, with less speed and torque, so that its wheels do not dig themselves in.
local car = require "car"
car.title = "car_on_grains"
car.params.ground, car.params.speed, car.params.torque, car.params.time = "grains", 6, 250, 2.5
return car

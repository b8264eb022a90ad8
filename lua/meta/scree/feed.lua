---@meta scree.feed
-- Annotations of feeds. docs/grains.md has an example.

---Feeding grains at a rate, at random places where nothing is in their way. A grain that finds no room waits, the others behind it, until it
---fits. All that changes is kept in w.state.
---@class scree.feed
local feed = {}

---Begins a feed. To be called in `setup`.
---@param w scree.World
---@param def scree.FeedDef
---@return table feed
function feed.create(w, def) end

---Places what is due. To be called before each step.
---@param w scree.World
function feed.update(w) end

---Another rate from now on; 0 closes the feed. What is due already stays due.
---@param w scree.World
---@param rate number >= 0 [1/s or kg/s, as the feed was made]
---@param name? string of the feed; not needed where there is one only
function feed.set_rate(w, rate, name) end

---The account of a feed.
---@param w scree.World
---@param name? string of the feed; not needed where there is one only
---@return scree.FeedReport
function feed.report(w, name) end

---rate or mass_rate is required, not both; of total and total_mass one at most.
---@class scree.FeedDef
---@field region scree.Region where centres may lie: a box, a ball, or a cylinder with a length
---@field rate? number grains a second [1/s], >= 0
---@field mass_rate? number instead of rate [kg/s], >= 0
---@field total? number grains after which the feed ends, >= 0; never without it
---@field total_mass? number mass that is reached to less than a grain and never exceeded [kg], >= 0; none without it
---@field start? number time at which it begins [s], >= 0; now without it
---@field every? number grains due within this time come together [s], >= 0; 0 without it: in every step
---@field name? string "feed" without it; each feed of a world has its own
---@field radius? number radius of the grains [m], > 0; this, sizes or shape is required
---@field radius_max? number radii are uniform between radius and this [m]
---@field sizes? scree.SizesDef distribution of the diameters of balls, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, randomly turned; the sphere around it is kept free
---@field template? scree.Template grains of several shapes, likewise; radius and sizes are those of the ball of their volume
---@field velocity? scree.Vec3 of the grains [m/s]; at rest without it
---@field jitter? number|scree.Vec3 random part of the velocity [m/s], uniform within +- this: a vector, or a number for the axes across velocity
---@field material? string
---@field density? number instead of the material's [kg/m3], > 0
---@field group? integer tag of the grains; 0 without it
---@field keep_out? scree.Region region whose inside stays empty
---@field attempts? integer places tried for a grain in an update, 1 to 1e6; 100 without it

---@class scree.FeedReport
---@field placed integer grains
---@field mass number of the grains placed [kg]
---@field waiting number grains (kg with mass_rate) that are due, but without room so far
---@field blocked integer updates in which a grain found no room
---@field done boolean whether the total is reached, to less than a grain where it is a mass

return feed

---@meta scree.feed
-- Annotations of feeds. docs/grains.md has an example.

---Feeds grains at a rate into a region, at random free places. A grain without a free place waits until it fits, and later grains wait
---behind it. The state of the feeds is in w.state.
---@class scree.feed
local feed = {}

---Starts a feed. Call it in `setup`.
---@param w scree.World
---@param def scree.FeedDef
---@return table feed
function feed.create(w, def) end

---Places the grains that are due. Call it before each step.
---@param w scree.World
function feed.update(w) end

---Changes the rate from now on; 0 stops the feed. Grains that are already due remain due.
---@param w scree.World
---@param rate number >= 0 [1/s or kg/s, like the rate in feed.create]
---@param name? string of the feed; not needed where there is one only
function feed.set_rate(w, rate, name) end

---Returns the state of a feed.
---@param w scree.World
---@param name? string of the feed; not needed where there is one only
---@return scree.FeedReport
function feed.report(w, name) end

---Keys of a feed. Either rate or mass_rate is required. total and total_mass exclude each other.
---@class scree.FeedDef
---@field region scree.Region region of the centres: a box, a ball, or a cylinder with a length
---@field rate? number grains per second [1/s], >= 0
---@field mass_rate? number instead of rate [kg/s], >= 0
---@field total? number number of grains after which the feed ends, >= 0; default: unlimited
---@field total_mass? number mass at which the feed ends [kg], >= 0; it is reached to within a grain and never exceeded; default: unlimited
---@field start? number time of the start [s], >= 0; default: now
---@field every? number interval between insertions, which place all grains that are due [s], >= 0; default: 0, every step
---@field name? string name of the feed, unique in the world; default: "feed"
---@field radius? number radius of the grains [m], > 0; radius, sizes or shape is required
---@field radius_max? number radii are distributed uniformly between radius and radius_max [m]
---@field sizes? scree.SizesDef distribution of the diameters of balls, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, in random orientations; the bounding sphere must be free
---@field template? scree.Template grains of several shapes, in random orientations; radius and sizes are those of a ball of equal volume
---@field velocity? scree.Vec3 of the grains [m/s]; default: at rest
---@field jitter? number|scree.Vec3 random part of the velocity [m/s], uniform between -jitter and jitter: a vector, or a number for the axes perpendicular to velocity
---@field material? string
---@field density? number instead of the material's [kg/m3], > 0
---@field group? integer tag of the grains; default: 0
---@field keep_out? scree.Region region that must stay empty
---@field attempts? integer number of places tried for a grain per update, 1 to 1e6; default: 100

---@class scree.FeedReport
---@field placed integer number of grains placed
---@field mass number mass of the grains placed [kg]
---@field waiting number grains (kg with mass_rate) that are due but not placed yet
---@field blocked integer number of updates in which a grain found no free place
---@field done boolean whether the total is reached; a total mass to within a grain

return feed

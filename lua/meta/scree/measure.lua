---@meta scree.measure
-- Annotations of declared measurements. docs/measure.md has an example.

---Takes the measurements of the key `measure` of a scene. The engine calls measure.attach for every scene with this key. A script calls it
---if it runs the callbacks of a scene itself.
---@class scree.measure
local measure = {}

---Wraps the callbacks of a scene so that they take the measurements of its list `measure`. Scalars become columns NAME_... of the series
---and figures of the report, lists become files NAME.csv. The scene is changed in place.
---@param scene scree.Scene
function measure.attach(scene) end

---An entry of `measure`. Further keys depend on the type; they are those of the method of the world: profile, rdf, flow, stress,
---coordination, count, displacement, fabric, fields, force_distribution, mixing, repose, sizes, grading, structure; `force` is w:forces_on.
---@class scree.MeasureDef
---@field name string a word of letters, digits and _, unique in the list: prefix of the columns and name of the file
---@field type "coordination"|"count"|"displacement"|"fabric"|"fields"|"flow"|"force"|"force_distribution"|"grading"|"mixing"|"profile"|"rdf"|"repose"|"sizes"|"stress"|"structure" what to measure
---@field every? number interval of samples of profile, fields, rdf and force_distribution [s], > 0; default: that of the series
---@field start? number nothing is sampled before this time [s], >= 0; default: 0
---@field region? scree.Region where to measure; required by profile, mixing and flow; required by fields (a box), rdf and stress outside periodic cells; default: everywhere
---@field group? integer only bodies of this group
---@field body? string force: name of the body on which contacts act, required
---@field cells? integer[] profile, mixing, fields: cells along x, y and z, required
---@field reach? number rdf: largest distance [m], structure: largest wave number [1/m], > 0, required; force_distribution: largest force in units of the mean, > 0, default: 8
---@field width? number fields: distance beyond which the kernel is 0 [m], > 0, required
---@field kernel? "lucy"|"gaussian" fields: kernel; default: "lucy"
---@field bins? integer number of bins of the histogram, >= 1; default: 100 for rdf and structure, 40 for force_distribution, 20 for sizes and repose (rings)
---@field fit? boolean rdf: shrinks the region to the bounding box of its grains; default: false
---@field edges? boolean rdf: corrects for the volume outside the region; default: false
---@field tangential? boolean force_distribution: friction forces instead of normal ones; default: false
---@field window? number flow: averaging time of rates [s], >= 0; default: the interval of the series
---@field low? number sizes: smallest radius [m], >= 0; default: 0
---@field high? number sizes: largest radius [m], > 0, required
---@field tracer? integer mixing: group of one kind of grains, required; all others are the other kind
---@field least? integer mixing: cells with fewer grains do not count, >= 1; default: 1
---@field from? number repose: share of the height from which rings count, 0 to 1; default: 0.2
---@field to? number repose: share of the height up to which they count, 0 to 1; default: 0.8
---@field sieves? number[] grading: diameters [m]
---@field target? scree.SizesDef grading: distribution to compare with

return measure

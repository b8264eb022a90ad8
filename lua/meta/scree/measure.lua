---@meta scree.measure
-- Annotations of declared measurements. docs/measure.md has an example.

---Carries out the key `measure` of a scene. The engine calls it for every scene that has the key; a script does so where it runs the
---callbacks of a scene itself.
---@class scree.measure
local measure = {}

---Wraps the callbacks of a scene so that its list `measure` is carried out: scalars become columns NAME_... of the series and figures of the
---report, lists become files NAME.csv. The scene is changed in place.
---@param scene scree.Scene
function measure.attach(scene) end

---An entry of `measure`. Besides these keys it takes those of its type, which are those of the method of w: profile, rdf, flow, stress,
---coordination, count, displacement, fabric, fields, force_distribution, mixing, repose, sizes, grading, structure; `force` is w:forces_on.
---@class scree.MeasureDef
---@field name string a word of letters, digits and _: what its columns and its file are called; each has its own
---@field type "coordination"|"count"|"displacement"|"fabric"|"fields"|"flow"|"force"|"force_distribution"|"grading"|"mixing"|"profile"|"rdf"|"repose"|"sizes"|"stress"|"structure" what to measure
---@field every? number interval of samples of profile, fields, rdf and force_distribution [s], > 0; that of the series without it
---@field start? number nothing is sampled before this time [s], >= 0; 0 without it
---@field region? scree.Region where; required by profile, mixing and flow, and but in a periodic cell by fields (a box), rdf and stress, everywhere without it
---@field group? integer only bodies of this group
---@field body? string force: name of the body on which contacts act, required
---@field cells? integer[] profile, mixing, fields: cells along x, y and z, required
---@field reach? number rdf: largest distance [m], structure: largest wave number [1/m], > 0, required; force_distribution: largest force in units of the mean, > 0, 8 without it
---@field width? number fields: width of the kernel, which is 0 past it [m], > 0, required
---@field kernel? "lucy"|"gaussian" fields: which kernel; Lucy's without it
---@field bins? integer of the histogram, >= 1: rdf and structure 100, force_distribution 40, sizes and repose (rings) 20 without it
---@field fit? boolean rdf: shrink the region to the grains in it; false without it
---@field edges? boolean rdf: correct for what lies outside; false without it
---@field tangential? boolean force_distribution: friction forces instead of normal ones; false without it
---@field window? number flow: averaging time of rates [s], >= 0; default: the interval of the series
---@field low? number sizes: smallest radius [m], >= 0; 0 without it
---@field high? number sizes: largest radius [m], > 0, required
---@field tracer? integer mixing: group of one kind of grains, required; all others are the other kind
---@field least? integer mixing: cells with fewer grains do not count, >= 1; 1 without it
---@field from? number repose: share of the height from which rings count, 0 to 1; 0.2 without it
---@field to? number repose: share of the height up to which they count, 0 to 1; 0.8 without it
---@field sieves? number[] grading: diameters [m]
---@field target? scree.SizesDef grading: distribution to compare with

return measure

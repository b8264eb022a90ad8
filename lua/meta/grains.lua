---@meta
-- Annotations of grains from files (docs/grains-from-files.md).

---@class scree.World
local World = {}

---Adds the grains of a file of another program: a table of text, a LAMMPS or LIGGGHTS data file or dump, YADE's text, VTK, VTP, VTU, extended XYZ, NumPy,
---MercuryDPM or GSD. Returns the number of bodies, and what the file has and was done.
---@param def scree.ReadGrainsDef
---@return integer bodies, scree.GrainsInfo info
function World:read_grains(def) end

---@class scree
local scree = {}

---What a file of grains has, without making bodies. The cell of the result is one for `scree.world`.
---@param def scree.GrainsFile
---@return scree.GrainsInfo
function scree.read_grains(def) end

---Reads a table of text: csv, tsv or columns between blanks, with a point or a comma as decimal sign. Values are in the units of the file.
---@param def scree.TableFile
---@return scree.TextTable
function scree.read_table(def) end

---A table of text.
---@class scree.TableFile
---@field file string beside the script, else from the working directory; gzip is unpacked
---@field separator? string ",", ";", "|", "\t" or " "; default: by content

---Columns of a table of text.
---@class scree.TextTable
---@field rows integer
---@field names string[] of the columns; "" without a header
---@field units string[] of the columns in the header; "" without one
---@field columns number[][] columns[c][row]; NaN where a cell is no number
---@field lines integer[] line of each row in the file

---A file of grains and its columns.
---@class scree.GrainsFile
---@field file string beside the script, else from the working directory; gzip is unpacked
---@field format? string "text", "lammps-data", "lammps-dump", "vtk", "vtk-xml", "xyz", "npy", "npz", "mercury-data", "mercury-restart", "gsd"
---@field frame? integer of files with several: 1 the first, -1 the last
---@field columns? table<string, string|integer|table|false> { FIELD = NAME or NUMBER or { NAME, unit = UNIT } or false }
---@field values? table<string, string|integer> { NAME = COLUMN }: columns that become columns of the world
---@field unit? string of lengths in the file: "m", "mm", "cm", "um", "km", "in", "ft"
---@field mass_unit? string such as "g"
---@field time_unit? string such as "ms"
---@field separator? string of tables of text
---@field radius? number of all grains [m]

---@class scree.ReadGrainsDef: scree.GrainsFile
---@field density? number of all grains [kg/m3], instead of the file's or the material's
---@field material? string
---@field materials? table materials of types 1, 2, ..., or by the file's names of types
---@field group? integer of all grains; without it the file's group, else its type
---@field ids? string|false column of the world for the file's ids; "source_id" without it
---@field layer? integer|integer[]
---@field avoids? integer|integer[]
---@field shrink? boolean multiply all radii by the factor with which no grains overlap
---@field relax? boolean move overlapping grains apart at the same mean height, and shrink what is left

---What a file of grains has.
---@class scree.GrainsInfo
---@field format string
---@field count integer rows
---@field frame integer
---@field frames integer
---@field time? number [s]
---@field columns string[] of the file
---@field fields string[] that were read
---@field types? string[] names of types in a column of words
---@field cell? table { origin, size, periodic }: a cell for `scree.world`
---@field matrix? number[][] of a cell that is not along the axes [m]
---@field min number[] corner of the box of the centres [m]
---@field max number[]
---@field radius_min number [m]
---@field radius_max number [m]
---@field left_out integer rows that are walls of scree's own exports
---@field overlaps? table { count, largest, mean, share }: pairs, depths [m], largest depth over the smaller radius; of w:read_grains
---@field scale? number factor by which shrink or relax multiplied the radii; of w:read_grains

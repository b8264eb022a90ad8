/* The subcommands, one line each, in the order of the help; included with COMMAND defined. */
COMMAND(run, "SCENE.lua|EXP.yaml [key=value ...]", "runs a scene and writes trajectory, series and provenance")
COMMAND(check, "SCENE.lua|EXP.yaml", "reads and builds everything, runs nothing")
COMMAND(schema, "", "prints the JSON Schema of experiments")
COMMAND(lua, "FILE.lua [argument ...]", "runs a plain Lua script with the module scree at hand")
COMMAND(doctor, "", "says what this build and this machine offer")
COMMAND(info, "FILE", "says what a trajectory holds and whether it is whole")
COMMAND(export, "FILE --format NAME", "writes a trajectory as vtp, dump, xyz, gsd, npz, csv or stl")
COMMAND(diff, "A B", "names the first difference of two trajectories, and the largest")

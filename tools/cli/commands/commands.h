/* The subcommands, one line each, in the order of the help; included with COMMAND defined. */
COMMAND(
    run, "SCENE.lua|EXP.yaml [key=value ...]", "runs a scene and writes trajectory, series and provenance")
COMMAND(resume, "DIR", "goes on with a stopped or killed run from its checkpoint")
COMMAND(sweep, "EXP.yaml", "runs every point of an experiment's sweep and gathers the figures")
COMMAND(converge, "SCENE.lua|EXP.yaml [key=value ...]",
    "says how far the figures of a scene depend on step, sweeps and stiffness")
COMMAND(calibrate, "EXP.yaml", "finds parameters whose figures come nearest to measured targets")
COMMAND(safety, "SCENE.lua|EXP.yaml [key=value ...]",
    "finds the factor of safety of a scene: by how much its strength can be divided before it fails")
COMMAND(check, "SCENE.lua|EXP.yaml [key=value ...]", "reads and builds everything, runs nothing")
COMMAND(plot, "DIR|FILE ... WHAT ...", "draws tables, fields and snapshots as PNG, SVG or text")
COMMAND(view, "RUN|FILE", "shows a run in the browser, also while it goes on")
COMMAND(film, "RUN -o FILE.mp4", "draws the frames of a run in three dimensions, as a film or as pictures")
COMMAND(schema, "", "prints the JSON Schema of experiments")
COMMAND(lua, "FILE.lua [argument ...]", "runs a plain Lua script with the module scree at hand")
COMMAND(doctor, "", "says what this build and this machine offer")
COMMAND(complete, "bash|zsh|fish", "prints completions for a shell")
COMMAND(info, "FILE", "says what a trajectory or a checkpoint holds and whether it is whole")
COMMAND(
    export, "FILE --format NAME", "writes a trajectory as one of " SCREE_FORMAT_WORDS ", or as a page (html)")
COMMAND(dump, "DIR --step N", "writes the contact problem of a step of a run to a file, for `scree solve`")
COMMAND(solve, "PROBLEM [PROBLEM ...]",
    "solves stored contact problems with any solver: iterations, residuals, time")
COMMAND(bench, "[NAME]", "times settled beds of grains: what a step, a contact and a sweep cost")
COMMAND(import, "ROBOT.urdf|MODEL.xml -o OUT.lua",
    "writes a robot's description (URDF, MJCF) as a Lua scene or table")
COMMAND(diff, "A B", "names the first difference of two trajectories, and the largest")

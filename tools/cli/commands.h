/* The subcommands, one line each, in the order of the help; included with COMMAND defined. */
COMMAND(doctor, "", "says what this build and this machine offer")

#!/usr/bin/env node
import { basename, relative } from "node:path";
import { runCommandLine } from "./cli/program.js";
import { processEnvironment } from "./config/config.js";

const script = process.argv[1] ?? "";

// A reader such as `head` may close the pipe early. That is a failure only for a command that has
// set the exit code, because its output must be whole.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

// The build bundles the modules; this lets stack traces name their sources.
process.setSourceMapsEnabled(true);
// Every file and folder that this process creates belongs to its user alone. LevelDB takes no mode
// for its files.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: processEnvironment(),
  invocation:
    basename(script) === "vademecum" ? "vademecum" : `node ${relative(process.cwd(), script)}`,
});

/**
 * Prints the outcome of opening a folder. This program is a process of its own, because LevelDB may
 * end the process when it reads a damaged table.
 */
import { writeSync } from "node:fs";
import { outcomeOf } from "./outcome.js";
import { smallBuffers } from "./small-buffers.js";

const [folder = "", commits = ""] = process.argv.slice(2);
writeSync(1, await outcomeOf(folder, Number(commits), smallBuffers));

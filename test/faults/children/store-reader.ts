/** Prints what a folder shows to those who start a server on it: LevelDB may end the process when it meets a damaged table. */
import { writeSync } from "node:fs";
import { outcomeOf } from "./outcome.js";
import { smallBuffers } from "./small-buffers.js";

const [folder = "", commits = ""] = process.argv.slice(2);
writeSync(1, await outcomeOf(folder, Number(commits), smallBuffers));

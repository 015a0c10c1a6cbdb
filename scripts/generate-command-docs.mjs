// Generates docs/reference/commands.md from the definition of the command line in src/cli:
// `node scripts/generate-command-docs.mjs [FILE]`. Writes to FILE instead, if FILE is given.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { commandsPage } from "./commands-page.mjs";
import { importSource } from "./compile.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
const io = { stdin, stdout, stderr, environment: {}, invocation: "vademecum" };

const page = await importSource(
  "src/cli/program.ts",
  async (/** @type {typeof import("../src/cli/program.js")} */ { createProgram }) =>
    commandsPage(await createProgram(io)),
);
writeFileSync(process.argv[2] ?? join(projectFolder, "docs", "reference", "commands.md"), page);

import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { commandsPage } from "../../scripts/commands-page.mjs";
import { createProgram } from "../../src/cli/program.js";

it("docs/reference/commands.md has the commands and options of the help", async () => {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const program = await createProgram({ ...streams, environment: {}, invocation: "vademecum" });
  const page = readFileSync(new URL("../../docs/reference/commands.md", import.meta.url), "utf8");
  // `npm run generate` writes the page.
  expect(page).toBe(commandsPage(program));
  for (const heading of ["### review", "#### block restore", "## Options of the connection"])
    expect(page).toContain(`\n${heading}\n`);
});

// Generates the stubs of all languages except TypeScript, or of the given languages:
// `node scripts/generate-stubs.mjs [LANGUAGE...]`. If the toolchain of a language is missing, skips
// the language and says so. With CI_REQUIRE_TOOLCHAINS=1, this is a failure.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms, stubToolchains } from "./stub-toolchains.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const given = process.argv.slice(2);
for (const language of given.length > 0 ? given : Object.keys(stubToolchains)) {
  const toolchain = stubToolchains[language];
  if (toolchain === undefined) throw new Error(`no stubs for ${language}`);
  const missing = missingPrograms(language).join(" and ");
  if (missing === "") {
    process.stderr.write(`Generating ${toolchain.output}\n`);
    toolchain.generate(projectFolder);
  } else {
    const skipped = `Skipped ${toolchain.output}: ${missing} not found on the path.`;
    process.stderr.write(`${skipped} Existing stubs stay as they are.\n`);
    if (process.env["CI_REQUIRE_TOOLCHAINS"] === "1") process.exitCode = 1;
  }
}

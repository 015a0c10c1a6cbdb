// Makes gen/python, gen/go, gen/java and gen/rust from the definitions: `node scripts/generate-stubs.mjs [LANGUAGE...]`.
// A language whose toolchain is not on this machine is skipped and named. With CI_REQUIRE_TOOLCHAINS=1 that is an error instead.
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms, pluginFolder, stubToolchains } from "./stub-toolchains.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");

const given = process.argv.slice(2);
for (const language of given.length > 0 ? given : Object.keys(stubToolchains)) {
  const missing = missingPrograms(language);
  if (missing.length === 0) {
    generate(language);
  } else {
    process.stderr.write(
      `Skipped gen/${language}: ${missing.join(" and ")} not found on the path. What is there stays as it is.\n`,
    );
    if (process.env.CI_REQUIRE_TOOLCHAINS === "1") process.exitCode = 1;
  }
}

function generate(language) {
  // buf looks for its plugins on the path.
  const path = [pluginFolder(language), process.env.PATH].join(delimiter);
  const { status } = spawnSync(
    process.execPath,
    [buf, "generate", "proto", "--template", `clients/${language}/buf.gen.yaml`],
    {
      cwd: projectFolder,
      stdio: "inherit",
      env: { ...process.env, PATH: path },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

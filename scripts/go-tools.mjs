// The command-line tools written in Go that docs/recipes.md and the conformance run use, at pinned versions, in the user's cache.
// `node scripts/go-tools.mjs` installs them; with `--folder` it only prints where they are, or would be.
// Without Go on the path it installs nothing and says so; with CI_REQUIRE_TOOLCHAINS=1 that is an error instead.
import { fileURLToPath } from "node:url";
import { cacheFolder, installedFolder } from "./installed-folder.mjs";
import { installGo, missingPrograms } from "./stub-toolchains.mjs";

const name = "go-tools";
const packages = [
  "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
  "github.com/bojand/ghz/cmd/ghz@v0.120.0",
  "connectrpc.com/conformance/cmd/connectconformance@v1.0.7",
];

/** The folder with the tools, installed if they are not there yet; `undefined` without Go. */
export function goToolsFolder() {
  return missingPrograms("go").length > 0 ? undefined : installedFolder(name, packages, installGo);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--folder")) {
    process.stdout.write(`${cacheFolder(name, packages)}\n`);
  } else if (goToolsFolder() === undefined) {
    process.stderr.write("Skipped the tools written in Go: go not found on the path.\n");
    if (process.env["CI_REQUIRE_TOOLCHAINS"] === "1") process.exitCode = 1;
  }
}

// Installs the Go command-line tools of docs/recipes.md and of the conformance suite, at pinned
// versions, into the user's cache: `node scripts/go-tools.mjs`. With `--folder`, the script only
// prints the folder.
// If Go is missing, the script says so; with CI_REQUIRE_TOOLCHAINS=1, that is an error.
import { fileURLToPath } from "node:url";
import { cacheFolder, installedFolder } from "./installed-folder.mjs";
import { installGo, missingPrograms } from "./stub-toolchains.mjs";

const name = "go-tools";
const packages = [
  "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
  "github.com/bojand/ghz/cmd/ghz@v0.120.0",
  "connectrpc.com/conformance/cmd/connectconformance@v1.0.7",
];

/**
 * Returns the folder with the tools. Installs them first if there is no such folder. Returns
 * `undefined` without Go.
 */
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

// Installs command-line tools that are written in Go, at pinned versions, into the user's cache:
// grpcurl and ghz for docs/guides/recipes.md, the conformance suite of Connect, and Helm for
// deploy/helm.
//
// - `node scripts/go-tools.mjs` installs the tools. If Go is missing, it says so. With
//   CI_REQUIRE_TOOLCHAINS=1, this is a failure.
// - `node scripts/go-tools.mjs --folder` prints the folder of the tools.
import { fileURLToPath } from "node:url";
import { cacheFolder, installedFolder } from "./installed-folder.mjs";
import { installGo, missingPrograms } from "./stub-toolchains.mjs";

const name = "go-tools";
const packages = [
  "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
  "github.com/bojand/ghz/cmd/ghz@v0.120.0",
  "connectrpc.com/conformance/cmd/connectconformance@v1.0.7",
  "helm.sh/helm/v3/cmd/helm@v3.19.5",
];

/**
 * Returns the folder with the tools. If the folder does not exist, installs the tools first.
 * Returns `undefined` if Go is missing.
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

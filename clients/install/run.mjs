// Tests the packages of the server and of the clients: `node clients/install/run.mjs [CLIENT...]`.
// First builds and installs the package of the server. Then, for each client, builds its package,
// installs it into an empty project, and runs the first program of its README there.
//
// Prints for each package its size, and the seconds from the start of the installation to the first
// answer. Exits with 1 if a package fails. If the toolchain of a client is missing, skips the
// client and says so. With CI_REQUIRE_TOOLCHAINS=1, fails instead.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingPrograms } from "../conformance/languages.mjs";
import { clientPackages, emptyFolder } from "./client-packages.mjs";
import { packServer } from "./server-package.mjs";
import { tryClientPackage, tryServerPackage } from "./try-package.mjs";

const isRequired = process.env["CI_REQUIRE_TOOLCHAINS"] === "1";

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(clientPackages);
const work = mkdtempSync(join(tmpdir(), "vademecum-install-"));
try {
  const { project, outcome } = await tryServerPackage(work, packServer(work));
  report("server", outcome);
  for (const name of names) report(name, await tryClient(name, project));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {string} server The project in which the server is installed.
 */
async function tryClient(name, server) {
  const client = clientPackages[name];
  if (client === undefined) return failed(`no client ${name}`);
  const missing = missingPrograms({ programs: [...client.programs] }).join(" and ");
  if (missing !== "") {
    return isRequired ? failed(`${missing} not found`) : `skipped, ${missing} not found`;
  }
  try {
    const built = emptyFolder(work, `${name}-package`);
    const files = client.build(built);
    return await tryClientPackage(work, { name, client, built, files }, server);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} reason */
function failed(reason) {
  process.exitCode = 1;
  return `FAILED: ${reason}`;
}

/**
 * @param {string} name
 * @param {string} outcome
 */
function report(name, outcome) {
  process.stdout.write(`${name}: ${outcome}\n`);
}

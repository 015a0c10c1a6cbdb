// Tests the packages of the server and of the clients: `node clients/install/run.mjs [CLIENT...]`.
// First builds and installs the package of the server. Then, for each client, builds its package,
// installs it into an empty project, and runs the first program of its README there.
//
// Prints for each package its size, and the seconds from the start of the installation to the first
// answer. Exits with 1 if a package fails. If the toolchain of a client is missing, skips the
// client and says so. With CI_REQUIRE_TOOLCHAINS=1, fails instead.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { programsOf, writeProgram } from "../conformance/first-lines.mjs";
import { missingPrograms } from "../conformance/languages.mjs";
import { clientPackages, emptyFolder } from "./client-packages.mjs";
import { outputOf } from "./run-command.mjs";
import {
  addAndRecall,
  installServer,
  packServer,
  startInstalledServer,
} from "./server-package.mjs";

const clientsFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const isRequired = process.env["CI_REQUIRE_TOOLCHAINS"] === "1";

const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(clientPackages);
const work = mkdtempSync(join(tmpdir(), "vademecum-install-"));
try {
  const { project, outcome } = await tryServer();
  report("server", outcome);
  for (const name of names) report(name, await tryClient(name, project));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Packs, installs and starts the server. Then adds a memory and finds it. */
async function tryServer() {
  const packageFile = packServer(work);
  const began = performance.now();
  const project = installServer(packageFile, work);
  const server = await startInstalledServer(project);
  try {
    await addAndRecall(server);
  } finally {
    await server.stop();
  }
  return { project, outcome: passed([packageFile], began) };
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
    return await installClient(name, client, server);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} name
 * @param {import("./client-packages.mjs").ClientPackage} client
 * @param {string} serverProject
 */
async function installClient(name, client, serverProject) {
  const built = emptyFolder(work, `${name}-package`);
  const files = client.build(built);
  const folder = emptyFolder(work, name);
  const server = await startInstalledServer(serverProject);
  try {
    const readme = join(clientsFolder, name, "README.md");
    const address = client.listener === "grpc" ? server.grpc : server.http;
    const [first] = programsOf(readme);
    if (first?.output === undefined) throw new Error(`${readme} shows no output of its program`);
    writeProgram({ folder, file: client.program }, first.program, address);
    const began = performance.now();
    client.install(folder, built);
    const { command, args, env } = client.command(folder, built);
    const output = outputOf(command, args, { cwd: folder, ...(env && { env }) });
    if (output !== first.output) throw new Error(`printed ${JSON.stringify(output)}`);
    return passed(files, began);
  } finally {
    await server.stop();
  }
}

/**
 * @param {readonly string[]} files The files of the package.
 * @param {number} began The time at which the installation began.
 */
function passed(files, began) {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return `${seconds} s from installation to first answer, package of ${Math.round(bytes / 1000)} kB`;
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

// Installs packages into empty folders, and runs a program with each.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { programsOf, writeProgram } from "../conformance/first-lines.mjs";
import { emptyFolder } from "./client-packages.mjs";
import { outputOf } from "./run-command.mjs";
import { addAndRecall, installServer, startInstalledServer } from "./server-package.mjs";

const clientsFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Installs the package of the server and starts it. Then adds a memory and finds it.
 * @param {string} work A folder for the project.
 * @param {string} packageFile
 */
export async function tryServerPackage(work, packageFile) {
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
 * A built package of a client.
 * @typedef {object} BuiltPackage
 * @property {string} name Name of the client.
 * @property {import("./client-packages.mjs").ClientPackage} client
 * @property {string} built The folder of its files.
 * @property {readonly string[]} files
 */

/**
 * Installs the package of a client, and runs the first program of its README against a server.
 * @param {string} work A folder for the project.
 * @param {BuiltPackage} built
 * @param {string} serverProject The project in which the server is installed.
 */
export async function tryClientPackage(work, { name, client, built, files }, serverProject) {
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

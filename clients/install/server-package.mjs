// Packs the npm package of the server, installs it into an empty folder, and starts it there.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { outputOf, runCommand } from "./run-command.mjs";

/**
 * @typedef {object} InstalledServer
 * @property {string} grpc Address of the gRPC listener, as HOST:PORT.
 * @property {string} http Address of the HTTP listener, as HOST:PORT.
 * @property {() => Promise<void>} stop
 */

const projectFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** All programs that `npm install` and `npx` need. Compilers and Python are not among them. */
const programs = ["node", "npm", "npx", "sh"];

/**
 * Packs the server.
 * @param {string} folder Where the package goes.
 * @returns {string} The file of the package.
 */
export function packServer(folder) {
  return packNpm(projectFolder, folder);
}

/**
 * Packs an npm package. Its script `prepack` builds it.
 * @param {string} source Folder of the package.
 * @param {string} folder Where the package goes.
 * @returns {string} The file of the package.
 */
export function packNpm(source, folder) {
  const args = ["pack", "--silent", "--pack-destination", folder];
  const name = outputOf("npm", args, { cwd: source }).trim().split("\n").at(-1);
  return join(folder, name ?? "");
}

/**
 * Installs the server into a new subfolder of `folder`. The PATH has no compilers.
 * @param {string} packageFile
 * @param {string} folder
 * @returns {string} The project in which the server is installed.
 */
export function installServer(packageFile, folder) {
  const bin = join(folder, "bin");
  const project = join(folder, "server");
  for (const made of [bin, project]) mkdirSync(made);
  for (const name of programs) symlinkSync(programOnPath(name), join(bin, name));
  runCommand(join(bin, "npm"), ["install", "--no-audit", "--no-fund", packageFile], {
    cwd: project,
    env: { ...process.env, PATH: bin },
  });
  return project;
}

/**
 * Starts the installed server with `npx`, on free ports and with an empty data folder.
 * @param {string} project The project in which the server is installed.
 * @returns {Promise<InstalledServer>}
 */
export async function startInstalledServer(project) {
  const bin = join(dirname(project), "bin");
  const data = mkdtempSync(join(project, "data-"));
  const flags = ["--data", data, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const npx = spawn(join(bin, "npx"), ["vademecum", "serve", ...flags, "--log-level", "warn"], {
    cwd: project,
    env: { ...process.env, PATH: bin },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => npx.once("exit", resolve));
  for await (const line of createInterface({ input: npx.stdout })) {
    if (!line.startsWith("{")) continue;
    /** @type {{ event: string, grpc: string, http: string, pid: number }} */
    const { event, grpc, http, pid } = JSON.parse(line);
    if (event !== "ready") continue;
    // Ends the server even if the run fails. Uses the process id of the server, because the server
    // may survive the end of npx.
    const kill = () => process.kill(pid, "SIGKILL");
    process.once("exit", kill);
    return {
      grpc,
      http: new URL(http).host,
      async stop() {
        process.off("exit", kill);
        process.kill(pid, "SIGTERM");
        await ended;
        rmSync(data, { recursive: true, force: true });
      },
    };
  }
  throw new Error("the installed server ended before it was ready");
}

/**
 * Adds a memory and finds it again. Sends JSON over HTTP, without a client.
 * @param {InstalledServer} server
 */
export async function addAndRecall({ http }) {
  const namespace = { userId: "ada", agentId: "guide" };
  const content = "Ada is allergic to hazelnuts";
  await call(http, "Add", { namespace, content });
  const search = { namespace, query: "which nuts must Ada avoid?" };
  const text = JSON.stringify(await call(http, "Recall", { search }));
  if (!text.includes(content)) throw new Error(`the memory is not in ${text}`);
}

/**
 * @param {string} address
 * @param {string} method
 * @param {object} request
 * @returns {Promise<unknown>}
 */
async function call(address, method, request) {
  const response = await fetch(`http://${address}/vademecum.v1.MemoryProvider/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${method} failed: ${await response.text()}`);
  return response.json();
}

/**
 * @param {string} name
 * @returns {string} The path of a program. For `node`, this is the running executable. For any
 *   other program, this is the first file on the PATH with the name.
 */
function programOnPath(name) {
  if (name === "node") return process.execPath;
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    try {
      return realpathSync(join(folder, name));
    } catch {
      // Continues, because a later folder may have the program.
    }
  }
  throw new Error(`${name} is not on the path`);
}

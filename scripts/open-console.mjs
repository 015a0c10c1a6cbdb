import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromiumProgram } from "./chromium.mjs";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Starts a server in a temporary folder, and Chromium. Needs `dist`.
 *
 * @param {readonly string[]} flags flags of `serve`
 * @returns {Promise<{ url: string, browser: import("playwright-core").Browser,
 *   close: () => Promise<void> }>} the address of the server, and the browser
 */
export async function openConsole(flags) {
  const executablePath = chromiumProgram();
  if (executablePath === undefined)
    throw new Error("there is no Chromium: node scripts/chromium.mjs");
  const folder = mkdtempSync(join(tmpdir(), "vademecum-console-"));
  const server = spawn(
    process.execPath,
    ["dist/main.js", "serve", "--data", join(folder, "data"), "--json"].concat([
      "--grpc",
      "127.0.0.1:0",
      "--http",
      "127.0.0.1:0",
      "--log-level",
      "warn",
      ...flags,
    ]),
    { cwd: projectFolder, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = await once(server.stdout, "data");
  const { http } = JSON.parse(line.toString());
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return {
    url: http,
    browser,
    close: async () => {
      await browser.close();
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

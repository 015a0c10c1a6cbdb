// Builds the server and runs a fault: node test/faults/run.mjs FAULT [OPTION ...]
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createViteServer } from "vitest/node";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
process.chdir(root);
const { status } = spawnSync(process.execPath, [join("scripts", "prepare.mjs")], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
// Runs the same TypeScript modules as the tests, in the same way.
const vite = await createViteServer({
  root,
  configFile: false,
  appType: "custom",
  logLevel: "error",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  oxc: { target: "node20" },
});
const command = await vite.ssrLoadModule("/test/faults/command.ts");
await command.runFaults(process.argv.slice(2));
await vite.close();

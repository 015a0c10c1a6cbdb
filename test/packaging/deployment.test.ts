import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFolder } from "./dockerfile.js";

const deployFolder = join(projectFolder, "deploy");
const files = readdirSync(deployFolder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".yaml"),
);
const textOf = (file: string) => readFileSync(join(deployFolder, file), "utf8");

describe("the files of deploy/", () => {
  it("the files of deploy/ set only variables that the server knows", () => {
    const settings = readFileSync(
      join(projectFolder, "docs", "reference", "configuration.md"),
      "utf8",
    );
    const names = files.flatMap((file) => textOf(file).match(/VADEMECUM_\w+/g) ?? []);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it("deploy/envoy.yaml routes calls by a hash of the user, spreads the load, and sets no timeout that would end long streams", () => {
    const envoy = textOf("envoy.yaml");
    const guide = readFileSync(join(projectFolder, "docs", "operate", "scaling.md"), "utf8");
    for (const documented of ["hash_balance_factor: 125", "x-vademecum-user"])
      expect(guide).toContain(documented);
    expect(envoy).toContain("lb_policy: RING_HASH");
    expect(envoy).toContain("hash_balance_factor: 125");
    expect(envoy).toContain("header_name: x-vademecum-user");
    expect(envoy).not.toMatch(/max_stream_duration|[^_]timeout: [1-9]\d*m/);
  });

  it("the manifests of deploy/kubernetes run no container as root or with a writable root file system", () => {
    const manifests = files.filter((file) => file.startsWith("kubernetes")).map(textOf);
    const containers = manifests.join("\n").match(/^ +image: /gm)?.length;
    const restricted = manifests.join("\n").match(/securityContext: \*restricted/g)?.length ?? 0;
    const written = manifests.join("\n").match(/readOnlyRootFilesystem: true/g)?.length ?? 0;
    expect(restricted + written).toBe(containers);
    const pods = manifests.join("\n").match(/^kind: Deployment$/gm)?.length;
    expect(manifests.join("\n").match(/runAsNonRoot: true/g)?.length).toBe(pods);
  });
});

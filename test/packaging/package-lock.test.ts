import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const projectFolder = join(import.meta.dirname, "..", "..");
const manifest = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as Package;
const { packages } = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8")) as {
  packages: Readonly<Record<string, Package>>;
};

describe("the dependencies", () => {
  it("`npm ci` does not install the large runtime of ONNX models, which few servers need", () => {
    expect(manifest.peerDependencies).toHaveProperty("onnxruntime-node");
    expect(packages).not.toHaveProperty("node_modules/onnxruntime-node");
  });

  it("dependencies are pinned to exact versions", () => {
    const versions = Object.entries({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    });
    expect(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version)),
    ).toEqual([]);
  });

  it("the lock file has all optional dependencies, even for other platforms, as `npm ci` requires", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});

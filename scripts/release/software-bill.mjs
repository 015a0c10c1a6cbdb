import { readFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../../clients/install/run-command.mjs";

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version
 * @property {string} [bom-ref]
 * @property {string} [scope]
 */

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 */

/**
 * @typedef {object} SoftwareBill
 * @property {string} bomFormat
 * @property {{ component: Component }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn?: string[] }[]} dependencies
 */

/**
 * Returns the bill of the packages in the server's package, as CycloneDX. npm writes it; this
 * function leaves out the packages that only the build uses. A package is in the server if npm
 * installs it beside the server, or if its code is in `dist`, whose LICENCES.txt names it.
 *
 * @param {string} projectFolder Requires: `dist` is built.
 * @returns {SoftwareBill}
 */
export function softwareBill(projectFolder) {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  /** @type {SoftwareBill} */
  const all = JSON.parse(outputOf("npm", args, { cwd: projectFolder }));
  const installed = installedPackages(projectFolder);
  const licences = readFileSync(join(projectFolder, "dist", "LICENCES.txt"), "utf8");
  const bundled = new Set(
    [...licences.matchAll(/^(\S+) (\S+) \(.+\)\n=+$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  );
  const components = all.components
    .filter((it) => installed.has(nameOf(it)) || bundled.has(nameOf(it)))
    // npm calls packages of the build optional, also those whose code is in `dist`.
    .map((it) => ({ ...it, scope: "required", properties: [] }));
  const required = [...installed].filter(([, isOptional]) => !isOptional).map(([name]) => name);
  const missing = [...bundled, ...required].filter(
    (it) => !components.some((found) => nameOf(found) === it),
  );
  if (missing.length > 0) throw new Error(`the bill lacks ${missing.join(", ")}`);
  const refs = new Set([all.metadata.component, ...components].map((it) => it["bom-ref"]));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((it) => refs.has(it)) }));
  // npm takes the name from the folder.
  const { name } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const component = { ...all.metadata.component, name };
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies };
}

/**
 * Returns the packages that npm installs beside the server, by name and version, and whether each
 * is optional, as for another system.
 * @param {string} projectFolder
 * @returns {ReadonlyMap<string, boolean>}
 */
function installedPackages(projectFolder) {
  /** @type {{ packages: Readonly<Record<string, LockedPackage>> }} */
  const { packages } = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8"));
  return new Map(
    Object.entries(packages)
      .filter(([path, { dev = false, peer = false }]) => path !== "" && !dev && !peer)
      .map(([path, { version, optional = false, devOptional = false }]) => [
        `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`,
        optional || devOptional,
      ]),
  );
}

/** @param {Component} component */
function nameOf({ name, version }) {
  return `${name}@${version}`;
}

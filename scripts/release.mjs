// Makes everything that a release publishes, and checks it: `npm run release -- --dry-run`. Nothing
// is published from here. Writes into the folder `release`, or into the one after `--to`:
//
// - the npm packages of the server and of the TypeScript client, the wheel, the crates, the jar,
//   and the Go modules
// - the build context of the image
// - sbom.cdx.json, the packages in the server, as CycloneDX
// - notes.md, the section of CHANGELOG.md
// - provenance.json, which commit and which tools made the files
// - SHA256SUMS of all of these
//
// Afterwards installs each package into an empty place, and runs the first program of its README
// there. `--only python,image` makes only some of the packages, for a test.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { clientPackages, emptyFolder } from "../clients/install/client-packages.mjs";
import { outputOf } from "../clients/install/run-command.mjs";
import { packServer } from "../clients/install/server-package.mjs";
import { tryClientPackage, tryServerPackage } from "../clients/install/try-package.mjs";
import { changelogSection } from "./release/changelog-section.mjs";
import { provenanceOf } from "./release/provenance.mjs";
import { softwareBill } from "./release/software-bill.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
/** @type {{ name: string, version: string }} */
const { name, version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    to: { type: "string", default: join(projectFolder, "release") },
    only: { type: "string" },
    "allow-changes": { type: "boolean", default: false },
  },
});
if (!values["dry-run"])
  fail("this script publishes nothing; run `npm run release -- --dry-run`, and upload its files");
const changes = outputOf("git", ["status", "--porcelain"], { cwd: projectFolder }).trim();
if (changes !== "" && !values["allow-changes"])
  fail(`commit or stash your changes first, or add --allow-changes:\n${changes}`);

const only = values.only?.split(",") ?? [...Object.keys(clientPackages), "image"];
rmSync(values.to, { recursive: true, force: true });
mkdirSync(values.to, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "vademecum-release-"));
try {
  const serverFile = packServer(work);
  take(serverFile);
  const packages = only.filter((it) => it in clientPackages).map(buildClient);
  if (only.includes("image")) writeImageContext();
  const changelog = readFileSync(join(projectFolder, "CHANGELOG.md"), "utf8");
  write("notes.md", changelogSection(changelog, version));
  write("sbom.cdx.json", JSON.stringify(softwareBill(projectFolder), null, 2));
  const subjects = digests();
  write(
    "provenance.json",
    JSON.stringify(provenanceOf({ projectFolder, subjects, version }), null, 2),
  );
  write("SHA256SUMS", sumLines(digests()));
  for (const [file, sha256] of digests())
    say(`${sizeText(statSync(join(values.to, file)).size).padStart(9)}  ${sha256}  ${file}`);
  await installAll(serverFile, packages);
} finally {
  rmSync(work, { recursive: true, force: true });
}
say(`${name} ${version}: ${digests().length} files in ${values.to}. Nothing is published.`);

/**
 * Builds the package of a client, and copies its files into the folder of the release.
 * @param {string} client
 * @returns {import("../clients/install/try-package.mjs").BuiltPackage}
 */
function buildClient(client) {
  const found = clientPackages[client];
  if (found === undefined) return fail(`no client ${client}`);
  const built = emptyFolder(work, `${client}-package`);
  const files = found.build(built);
  for (const file of files) take(file, client);
  return { name: client, client: found, built, files };
}

/**
 * Installs each package into an empty folder, and uses it there.
 * @param {string} serverFile
 * @param {readonly import("../clients/install/try-package.mjs").BuiltPackage[]} packages
 */
async function installAll(serverFile, packages) {
  say("\nInstalled into empty folders, and used there:");
  const { project, outcome } = await tryServerPackage(work, serverFile);
  say(`server: ${outcome}`);
  for (const built of packages)
    say(`${built.name}: ${await tryClientPackage(work, built, project)}`);
}

/**
 * Copies a file into the folder of the release.
 * @param {string} file
 * @param {string} [client] The Go modules have file names without their own names.
 */
function take(file, client) {
  const target = client === "go" ? goName(file) : basename(file);
  copyFileSync(file, join(values.to, target));
}

/** @param {string} file `…/HOST/clients/go/@v/v0.1.0.zip` */
function goName(file) {
  const [, path = ""] = /\/([^/]+\/[^/]+)\/@v\//.exec(file) ?? [];
  return `go-${path.replaceAll("/", "-")}-${basename(file)}`;
}

/** Writes what `docker build` needs: the files that .dockerignore does not leave out. */
function writeImageContext() {
  const file = join(values.to, `${name}-${version}-image-context.tar.gz`);
  const paths = ["Dockerfile", "package.json", "package-lock.json", "LICENSE", "NOTICE"];
  const folders = ["scripts", "gen", "src", "models", "console"];
  const present = outputOf("git", ["ls-tree", "--name-only", "HEAD"], { cwd: projectFolder })
    .trim()
    .split("\n");
  const wanted = [...paths, ...folders].filter((path) => present.includes(path));
  run("git", ["archive", "--format=tar.gz", `--output=${file}`, "HEAD", ...wanted]);
}

/** @returns {(readonly [string, string])[]} the names and the SHA-256 of all files so far */
function digests() {
  return readdirSync(values.to)
    .filter((file) => file !== "SHA256SUMS")
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(values.to, file));
      return [file, createHash("sha256").update(bytes).digest("hex")];
    });
}

/** @param {readonly (readonly [string, string])[]} files */
function sumLines(files) {
  return files.map(([file, sha256]) => `${sha256}  ${file}\n`).join("");
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(join(values.to, file), text.endsWith("\n") ? text : `${text}\n`);
}

/** @param {number} bytes */
function sizeText(bytes) {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {string} command @param {readonly string[]} args */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: projectFolder, stdio: "inherit" });
  if (status !== 0) fail(`${command} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text @returns {never} */
function fail(text) {
  process.stderr.write(`release: ${text}\n`);
  process.exit(1);
}

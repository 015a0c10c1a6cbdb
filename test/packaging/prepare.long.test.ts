import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

const projectFolder = join(import.meta.dirname, "..", "..");

/** A small project that is prepared like the real one, with a copy for each test. */
let template: string;
let clone: string;

/** The scripts that prepare a project. */
const scripts = [
  "prepare.mjs",
  "build.mjs",
  "build-console.mjs",
  "console-descriptors.mjs",
  "compile.mjs",
  "licences.mjs",
  "source-digest.mjs",
];

/** The files of the console that the build names. */
const consoleFiles = {
  "src/main.tsx": "export {};",
  "style.css": "",
  "icon.svg": "<svg/>",
  "index.html": "$SCRIPT $STYLE $ICON",
};

/** The sources that the build names. */
const sources = {
  "main.ts": "#!/usr/bin/env node\nexport const one: number = 1;\n",
  "index/graph/graph-worker-entry.ts": "",
  "embed/onnx/inference-worker.ts": "",
  "tokens/vocabulary.ts": `export const encodeVocabulary = () => "vocabulary";\n`,
};

/** The packages in the project's lock file, and in npm's record of installed packages. */
const wanted = {
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/b": { version: "2.0.0", optional: true },
};

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), "vademecum-prepare-"));
  clone = template;
  for (const name of scripts)
    cpSync(join(projectFolder, "scripts", name), join(clone, "scripts", name));
  for (const folder of ["gen/ts", "node_modules/@bufbuild"])
    mkdirSync(join(clone, folder), { recursive: true });
  for (const name of ["rolldown", "gpt-tokenizer", "@bufbuild/protobuf"])
    symlinkSync(join(projectFolder, "node_modules", name), join(clone, "node_modules", name));
  write("package.json", { type: "module", engines: { node: ">=20.19.0" } });
  write("package-lock.json", { packages: { "": {}, ...wanted } });
  for (const [folder, files] of Object.entries({ src: sources, console: consoleFiles }))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, folder, path)), { recursive: true });
      writeFileSync(join(clone, folder, path), text);
    }
  // A stand-in for npm, which records its arguments and installs the given packages.
  const note = `require("node:fs").writeFileSync("npm-arguments", process.argv.slice(2).join(" "));`;
  writeFileSync(
    join(clone, "npm.cjs"),
    `${note}\nrequire("node:fs").writeFileSync("node_modules/.package-lock.json", '${JSON.stringify({ packages: wanted })}');`,
  );
  prepare();
});

afterAll(() => rmSync(template, { recursive: true }));

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "vademecum-prepare-"));
  cpSync(template, clone, { recursive: true, verbatimSymlinks: true });
});

afterEach(() => rmSync(clone, { recursive: true }));

function write(name: string, content: unknown): void {
  writeFileSync(join(clone, name), JSON.stringify(content));
}

function installed(packages: object): void {
  write("node_modules/.package-lock.json", { packages });
}

/** Runs the preparation. Returns npm's arguments, whether it built, and the exit code. */
function prepare() {
  rmSync(join(clone, "npm-arguments"), { force: true });
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(clone, "scripts", "prepare.mjs")],
    {
      cwd: clone,
      encoding: "utf8",
      env: { ...process.env, npm_execpath: join(clone, "npm.cjs") },
    },
  );
  const told = join(clone, "npm-arguments");
  return {
    status,
    stdout,
    stderr,
    npm: existsSync(told) ? readFileSync(told, "utf8") : undefined,
    built: stderr.includes("building dist/"),
  };
}

describe("a fresh clone", () => {
  it("prepare installs and builds everything in a fresh clone, and then does nothing", () => {
    for (const made of ["dist", "node_modules/.package-lock.json"])
      rmSync(join(clone, made), { recursive: true });
    expect(prepare()).toMatchObject({
      status: 0,
      npm: "ci --include=dev --no-audit --no-fund",
      built: true,
    });
    expect(statSync(join(clone, "dist", "main.js")).mode & 0o111).toBe(0o111);
    expect(prepare()).toEqual({ status: 0, npm: undefined, built: false, stdout: "", stderr: "" });
  });
});

describe("packages", () => {
  it.each([
    [
      "of another version",
      { ...wanted, "node_modules/a": { version: "1.0.1", integrity: "sha512-a" } },
    ],
    [
      "of another checksum",
      { ...wanted, "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } },
    ],
    ["that are missing", {}],
    ["for another platform", { ...wanted, "node_modules/b": { version: "2.0.0", os: ["none"] } }],
  ])("prepare installs packages again if they differ from the lock file: %s", (_what, packages) => {
    installed(packages);
    expect(prepare().npm).toMatch(/^ci /);
  });

  it.each([
    ["without an optional package", { "node_modules/a": wanted["node_modules/a"] }],
    ["with one more package", { ...wanted, "node_modules/c": { version: "3.0.0" } }],
    [
      "with a checksum that the lock file does not name",
      { ...wanted, "node_modules/b": { version: "2.0.0", integrity: "sha512-b" } },
    ],
  ])("prepare leaves installed packages alone: %s", (_what, packages) => {
    installed(packages);
    expect(prepare().npm).toBeUndefined();
  });
});

describe("a build", () => {
  it("prepare builds again when a source has changed, and removes outputs without a source", () => {
    writeFileSync(join(clone, "dist", "gone.js"), "");
    appendFileSync(join(clone, "src", "main.ts"), "export const two = 2;\n");
    expect(prepare()).toMatchObject({ status: 0, built: true });
    expect(readFileSync(join(clone, "dist", "main.js"), "utf8")).toContain("two");
    expect(existsSync(join(clone, "dist", "gone.js"))).toBe(false);
  });

  it("a failed build keeps the previous output, and runs again the next time", () => {
    writeFileSync(join(clone, "src", "main.ts"), "export const one: number = ;\n");
    for (let attempt = 0; attempt < 2; attempt++)
      expect(prepare()).toMatchObject({ status: 1, built: true });
    expect(readFileSync(join(clone, "dist", "main.js"), "utf8")).toContain("one = 1");
  });
});

it("prepare fails on an older version of Node, and names the required version", () => {
  write("package.json", { type: "module", engines: { node: ">=99.1.0" } });
  const { status, stderr } = prepare();
  expect(status).toBe(1);
  expect(stderr).toContain("Vademecum needs >=99.1.0");
});

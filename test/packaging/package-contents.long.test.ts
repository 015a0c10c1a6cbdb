import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** What `npm pack --json` prints: a list from some releases of npm, an object from others. */
type PackOutput = Readonly<Record<string, { readonly files: readonly PackedFile[] }>>;

const projectFolder = join(import.meta.dirname, "..", "..");
let files: readonly PackedFile[];
let paths: readonly string[];

beforeAll(() => {
  // Skips the `prepack` script, because dist is built before the tests start.
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: projectFolder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = Object.values(JSON.parse(output) as PackOutput);
  files = packed?.files ?? [];
  paths = files.map(({ path }) => path);
});

/**
 * Lists the files below a folder of the project that end with `ending`, relative to the project.
 */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}/${path}`);
}

describe("the packed npm package", () => {
  it("the packed npm package holds documents, code, models, units and nothing else at the top level", () => {
    const documents = ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md"];
    const entries = new Set(paths.map((path) => path.split("/")[0]));
    expect(entries).toEqual(
      new Set([...documents, "deploy", "dist", "gen", "models", "package.json"]),
    );
    const deployed = paths.filter((path) => path.startsWith("deploy/"));
    expect(deployed.every((path) => path.startsWith("deploy/systemd/vademecum"))).toBe(true);
    const generated = paths.filter((path) => path.startsWith("gen/"));
    expect(new Set(generated.map((path) => path.split("/")[1]))).toEqual(new Set(["wasm"]));
  });

  it("the packed npm package holds every module that the program loads", () => {
    const modules = [
      ...filesBelow("dist", ".js"),
      ...filesBelow("dist", ".bin"),
      ...filesBelow("gen/wasm", ".wasm"),
    ];
    expect(modules.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("the packed npm package holds every file of the bundled models except the programs that made them", () => {
    const listed = execFileSync("git", ["ls-files", "models"], {
      cwd: projectFolder,
      encoding: "utf8",
    });
    const wanted = listed
      .trim()
      .split("\n")
      .filter((path) => !/\/(?:training|conversion)\/|\.gitattributes$/.test(path));
    expect(new Set(paths.filter((path) => path.startsWith("models/")))).toEqual(new Set(wanted));
  });

  it("the packed npm package holds no sources, declarations or dot files", () => {
    expect(paths.filter((path) => /\.ts$|(?:^|\/)\./.test(path))).toEqual([]);
  });

  it("the packed npm package has at most 60 files besides its chunks of code, and 45 MB", () => {
    // Each command loads only what it needs, so the number of chunks follows from the commands.
    const [chunks, others] = [true, false].map((isChunk) =>
      paths.filter((path) => path.startsWith("dist/chunks/") === isChunk),
    );
    expect(others?.length).toBeLessThanOrEqual(60);
    expect(chunks?.length).toBeLessThanOrEqual(480);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(45_000_000);
  });

  it("the packed npm package resolves each entry of its `imports` and `bin` inside the package", () => {
    const text = readFileSync(join(projectFolder, "package.json"), "utf8");
    const manifest = JSON.parse(text) as {
      readonly imports: Readonly<Record<string, string>>;
      readonly bin: Readonly<Record<string, string>>;
    };
    // The build bundles the modules that sources import as `#gen/`.
    const { "#gen/*": _bundled, ...imports } = manifest.imports;
    const targets = [...Object.values(imports), ...Object.values(manifest.bin)].map((target) =>
      target.replace(/^\.\//, "").replace(/\*$/, ""),
    );
    expect(targets.filter((target) => !paths.some((path) => path.startsWith(target)))).toEqual([]);
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

const projectFolder = dirname(import.meta.dirname);

const fileLinesMax = 400;
const functionLinesMax = 70;

/** A part of src: what it may import of ours beside itself and npm packages, and why no more. */
interface Part {
  readonly mayImport: readonly string[];
  readonly because: string;
}

/** Every folder and file directly in src. `gen` stands for the generated stubs. */
const parts: Readonly<Record<string, Part>> = {
  core: {
    mayImport: [],
    because:
      "the domain knows nothing of transport, storage, models or settings; they reach it through its ports",
  },
  rpc: {
    mayImport: ["core", "gen"],
    because:
      "the transport decodes, calls the core and encodes; it works with any adapter behind the ports",
  },
  store: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  index: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  embed: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  tokens: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  system: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  config: { mayImport: [], because: "settings are read before anything else exists" },
  "version.ts": { mayImport: [], because: "everything may ask for the version" },
  "well-formed.ts": { mayImport: [], because: "it looks at values, whosever they are" },
  server: {
    mayImport: [
      "core",
      "rpc",
      "store",
      "index",
      "embed",
      "tokens",
      "system",
      "config",
      "version.ts",
    ],
    because: "the wiring knows every part; it does not know the command line that starts it",
  },
  mcp: {
    mayImport: ["gen", "version.ts", "well-formed.ts"],
    because:
      "it passes calls on to a running server through stubs, as any client in any language does",
  },
  cli: {
    mayImport: ["core", "gen", "mcp", "server", "store", "config", "version.ts", "well-formed.ts"],
    because:
      "commands start the wiring, call a server through stubs or check a data folder; they never reach into a running server's parts",
  },
  "main.ts": {
    mayImport: ["cli", "config"],
    because: "the entry hands the process to the command line and does nothing else",
  },
};

/**
 * The rooms of a folder on their floors, from the ground up: a room may import only from rooms on
 * lower floors. Rooms on one floor do not know each other. A loose file is a room of its own.
 */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "src/core": [
    ["model", "text"],
    ["filter", "ports"],
    ["pruning", "requests", "vectors"],
    ["blocks", "key-values", "reindex", "search"],
    ["memories", "skills"],
    ["proposals", "tools"],
    ["toolsets"],
  ],
  "src/rpc": [
    ["convert", "http-messages", "limits", "validation"],
    ["adapt"],
    ["services", "standard"],
    ["listen"],
    ["rpc-server"],
  ],
  "src/store/level": [
    ["format", "leveldb-files"],
    ["folder"],
    ["recovery"],
    ["commit"],
    ["level-store"],
  ],
  "src/index": [
    ["pause", "thread"],
    ["keyword", "vector"],
    ["calibration", "rows"],
    ["candidates"],
    ["namespace-index"],
    ["graph"],
    ["loading"],
    ["search-index"],
  ],
};

/** Builtins that do no I/O. */
const pureBuiltins = ["node:crypto", "node:util", "node:zlib"];

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: projectFolder,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(projectFolder, file)));
const ours = tracked.filter((file) => !/^(?:gen|third_party|models)\//.test(file));
// AssemblyScript looks like TypeScript and is another language.
const code = ours.filter((file) => /\.(?:ts|mjs|js)$/.test(file) && !file.endsWith(".as.ts"));
const sources = code.filter((file) => file.startsWith("src/"));

function read(file: string): string {
  return readFileSync(join(projectFolder, file), "utf8");
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** All nodes of the syntax tree of a file. */
function* nodesOf(file: string): Generator<Node> {
  const pending: unknown[] = [parseAst(read(file), { lang: file.endsWith(".ts") ? "ts" : "js" })];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    if (isNode(value)) yield value;
    pending.push(...Object.values(value));
  }
}

function isNode(value: object): value is Node {
  return "type" in value && "start" in value && "end" in value;
}

/** The modules that a file imports, as written. */
function importsOf(file: string): string[] {
  const specifiers: string[] = [];
  for (const node of nodesOf(file)) {
    if (!/^(?:Import|Export|TSImport)/.test(node.type) || !("source" in node)) continue;
    const { source } = node as { source: { value?: unknown } | null };
    if (typeof source?.value === "string") specifiers.push(source.value);
  }
  return specifiers;
}

/** The part of src that a file of the project belongs to; `gen` for generated stubs. */
function partOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (first === "gen") return "gen";
  return second;
}

/** The file of the project that an import names; `undefined` for packages. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("#gen/")) return specifier.replace("#gen/", "gen/ts/");
  return specifier.startsWith(".")
    ? relative(projectFolder, join(projectFolder, dirname(file), specifier.replace(/\.js$/, ".ts")))
    : undefined;
}

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Places where a pattern occurs, as `file:line`. */
function placesOf(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

describe("the architecture", () => {
  it("has no part of src that the table of this test does not know", () => {
    expect([...new Set(sources.map(partOf))].filter((part) => !(part in parts))).toEqual([]);
  });

  it("imports only inward", () => {
    const wrong = sources.flatMap((file) => {
      const part = partOf(file);
      const { mayImport = [], because = "" } = parts[part] ?? {};
      return importsOf(file).flatMap((specifier) => {
        const target = targetOf(file, specifier);
        if (target === undefined) return [];
        const targetPart = partOf(target);
        const fine = targetPart === part || mayImport.includes(targetPart);
        return fine
          ? []
          : [
              `${file} imports ${specifier}: ${part} may import ${mayImport.join(", ") || "only itself"}, because ${because}`,
            ];
      });
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(floors))("builds %s floor by floor", (folder, rooms) => {
    const floorOf = new Map(rooms.flatMap((names, floor) => names.map((name) => [name, floor])));
    const roomOf = (file: string) =>
      file.startsWith(`${folder}/`)
        ? file
            .slice(folder.length + 1)
            .split("/")[0]
            ?.replace(/(?:\.d)?\.ts$/, "")
        : undefined;
    const wrong = sources.flatMap((file) => {
      const room = roomOf(file);
      if (room === undefined) return [];
      const floor = floorOf.get(room);
      if (floor === undefined) return [`${file}: the table of this test knows no room ${room}`];
      return importsOf(file).flatMap((specifier) => {
        const target = roomOf(targetOf(file, specifier) ?? "");
        const isBelow =
          target === undefined || target === room || (floorOf.get(target) ?? floor) < floor;
        return isBelow
          ? []
          : [`${file} imports ${specifier}: ${target} is not on a floor below ${room}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it("has no circle of files, type imports included", () => {
    const imports = new Map(
      sources.map((file) => [
        file,
        importsOf(file).flatMap((specifier) => targetOf(file, specifier) ?? []),
      ]),
    );
    const state = new Map<string, "open" | "done">();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (state.get(file) === "done" || !imports.has(file)) return;
      if (state.get(file) === "open") {
        circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
        return;
      }
      state.set(file, "open");
      for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
      state.set(file, "done");
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("does no input or output in the core", () => {
    const builtins = sources
      .filter((file) => partOf(file) === "core")
      .flatMap((file) => importsOf(file).map((specifier) => `${file} imports ${specifier}`))
      .filter(
        (line) => line.includes(" node:") && !pureBuiltins.some((name) => line.endsWith(name)),
      );
    expect(builtins).toEqual([]);
  });

  it("reads the environment in src/config/config.ts alone", () => {
    const readers = sources.filter((file) =>
      /process\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b|\benv\b[^;]*from "node:process"/.test(
        read(file),
      ),
    );
    expect(readers).toEqual(["src/config/config.ts"]);
  });

  it("keeps memories, models and native code behind their folders", () => {
    const owners: Readonly<Record<string, readonly string[]>> = {
      "classic-level": ["store", "embed"],
      "hnswlib-node": ["index"],
      "gpt-tokenizer": ["tokens"],
      "@grpc/grpc-js": ["rpc"],
      commander: ["cli"],
      "@modelcontextprotocol/sdk": ["mcp"],
    };
    const wrong = sources.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const owner = Object.entries(owners).find(
          ([name]) => specifier === name || specifier.startsWith(`${name}/`),
        )?.[1];
        return owner === undefined || owner.includes(partOf(file))
          ? []
          : [`${file} imports ${specifier}, which only ${owner.join(", ")} may`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("the code", () => {
  it(`has no file of more than ${fileLinesMax} lines`, () => {
    const long = code
      .map((file) => [file, lineCount(read(file))] as const)
      .filter(([, lines]) => lines > fileLinesMax);
    expect(long).toEqual([]);
  });

  it(`has no function of more than ${functionLinesMax} lines`, () => {
    const long = code
      .filter((file) => !file.startsWith("test/"))
      .flatMap((file) => {
        const text = read(file);
        return [...nodesOf(file)]
          .filter((node) =>
            /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type),
          )
          .map(
            (node) =>
              [
                `${file}:${lineCount(text.slice(0, node.start + 1))}`,
                lineCount(text.slice(node.start, node.end)),
              ] as const,
          )
          .filter(([, lines]) => lines > functionLinesMax);
      });
    expect(long).toEqual([]);
  });

  it("has no `any`", () => {
    const places = code.flatMap((file) =>
      [...nodesOf(file)]
        .filter((node) => node.type === "TSAnyKeyword")
        .map((node) => `${file} at ${node.start}`),
    );
    expect(places).toEqual([]);
  });

  it("switches off no check and leaves no work for later", () => {
    const marks = ["@ts-", "biome-", "oxlint-", "eslint-"].map(
      (tool) => `${tool}(?:ignore|expect-error|nocheck|disable)`,
    );
    const pattern = new RegExp([...marks, `\\b(?:TO${"DO"}|FIX${"ME"}|XX${"X"})\\b`].join("|"));
    expect(placesOf(pattern, code)).toEqual([]);
  });

  it("writes to no console", () => {
    const places = code
      .filter((file) => !/^(?:bench|scripts)\//.test(file))
      .filter((file) =>
        [...nodesOf(file)].some(
          (node) => node.type === "Identifier" && "name" in node && node.name === "console",
        ),
      );
    expect(places).toEqual([]);
  });

  it("has files that are named in kebab-case after one thing", () => {
    const drawers = /^(?:utils?|helpers?|common|manager|misc|shared)$/;
    const wrong = code.filter((file) => {
      const words = file.split(/[/.-]/);
      return (
        !/^[a-z\d]+(?:-[a-z\d]+)*(?:\.[a-z]+)+$/.test(basename(file)) ||
        words.some((word) => drawers.test(word))
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe("tracked files", () => {
  const texts = tracked.filter(
    (file) => file !== "package-lock.json" && !read(file).includes("\0"),
  );

  it("name no path of somebody's machine", () => {
    const pattern = new RegExp(
      `(?:^|[\\s"'\`(=:])/(?:${["home", "root", "Users", "work", "tmp"].join("|")})/`,
    );
    expect(placesOf(pattern, texts)).toEqual([]);
  });

  it("name no package registry", () => {
    const hosts = [
      "registry[.]npmjs",
      "registry[.]yarnpkg",
      "pypi[.]org",
      "python[h]osted",
      "proxy[.]golang",
      "static[.]crates",
      "repo1[.]maven",
      "artifactor[y]",
    ];
    expect(placesOf(new RegExp(hosts.join("|")), texts)).toEqual([]);
  });
});

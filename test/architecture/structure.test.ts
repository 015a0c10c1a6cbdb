import { describe, expect, it } from "vitest";
import {
  consoleSources,
  importsOf,
  partOf,
  placesOf,
  read,
  sources,
  targetOf,
} from "./source-files.js";

/** The rule for a part of `src`. The part may also import packages and its own files. */
interface Part {
  readonly mayImport: readonly string[];
  readonly because: string;
}

/** The rule for each folder and each file directly in `src`. `gen` means the generated stubs. */
const parts: Readonly<Record<string, Part>> = {
  core: {
    mayImport: [],
    because: "the domain uses transport, storage, models and settings only through its ports",
  },
  "backup-format": {
    mayImport: ["core", "gen", "edge"],
    because: "a backup has the same bytes in a file and in a stream between servers",
  },
  rpc: {
    mayImport: ["core", "gen", "backup-format", "edge"],
    because:
      "the transport decodes, calls the core and encodes; it works with any adapter behind the ports",
  },
  store: {
    mayImport: ["core", "disk"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  index: {
    mayImport: ["core", "disk"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  embed: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  credentials: {
    mayImport: ["core", "disk"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  audit: {
    mayImport: ["core", "disk"],
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
  metrics: {
    mayImport: ["core", "edge"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  traces: {
    mayImport: ["core"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  webhooks: {
    mayImport: ["core", "edge"],
    because: "an adapter knows the port that it implements and no other adapter",
  },
  config: { mayImport: ["edge"], because: "settings are read before anything else exists" },
  disk: {
    mayImport: [],
    because: "every part that keeps files makes and syncs folders in the same way",
  },
  edge: {
    mayImport: [],
    because:
      "every part that faces the outside writes addresses, admits web pages, checks texts or reports the version",
  },
  server: {
    mayImport: [
      "core",
      "rpc",
      "store",
      "index",
      "embed",
      "tokens",
      "system",
      "credentials",
      "metrics",
      "traces",
      "audit",
      "webhooks",
      "config",
      "edge",
    ],
    because: "the wiring knows every part; it does not know the command line that starts it",
  },
  mcp: {
    mayImport: ["gen", "edge"],
    because:
      "it passes calls on to a running server through stubs, as any client in any language does",
  },
  cli: {
    mayImport: [
      "core",
      "gen",
      "backup-format",
      "mcp",
      "server",
      "store",
      "credentials",
      "metrics",
      "audit",
      "config",
      "edge",
    ],
    because:
      "commands start the wiring, call a server through stubs or check a data folder and its audit trail; they never use the parts of a running server",
  },
  "main.ts": {
    mayImport: ["cli", "config"],
    because: "the entry hands the process to the command line and does nothing else",
  },
};

/**
 * The layers of some folders, from the lowest up. Each layer lists its modules. A module is a
 * subfolder, or a file directly in the folder. A module may import only from modules of lower
 * layers, so the modules of one layer do not import each other.
 */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "src/core": [
    ["model", "text"],
    ["filter", "guard", "ports"],
    ["requests"],
    ["proposal-records", "pruning", "vectors"],
    ["backup", "blocks", "erasure", "key-values", "memory-events", "overview", "reindex", "search"],
    ["jobs", "memories", "skills", "webhooks"],
    ["monitor", "proposals", "threads", "tools"],
    ["context", "toolsets", "transfer"],
  ],
  "src/core/search": [
    ["query"],
    ["score"],
    ["rank"],
    ["pack"],
    ["across-agents", "explain"],
    ["searcher"],
  ],
  "src/rpc": [
    ["defaults", "descriptors", "http-messages", "limits", "rpc-facts"],
    ["convert", "admit", "validation", "logs"],
    ["access"],
    ["adapt"],
    ["forward"],
    ["services", "standard"],
    ["listen"],
    ["rpc-server"],
  ],
  "src/store": [
    [
      "change-log",
      "codec",
      "erase-scope",
      "errors",
      "page-key",
      "restored-backup",
      "table-owner",
      "usage",
    ],
    ["holds", "recent-commits", "tenant-records"],
    ["engine"],
    ["in-memory", "level", "postgres", "tenant-store"],
  ],
  "src/store/postgres": [
    ["errors"],
    ["session"],
    ["tables"],
    ["holds"],
    ["commit", "direct-session", "reads"],
    ["postgres-store", "renew-epoch"],
    ["open-postgres-store"],
    ["restore-database"],
  ],
  "src/store/level": [
    ["format", "leveldb-files"],
    ["folder"],
    ["recovery"],
    ["commit"],
    ["level-store"],
    ["readable-folder", "restore-folder"],
  ],
  "src/index": [
    ["image"],
    ["columns"],
    ["thread"],
    ["keyword", "vector", "words"],
    ["calibration", "rows"],
    ["candidates"],
    ["namespace-index"],
    ["graph"],
    ["loading"],
    ["search-index", "tenant-index"],
  ],
};

/** Modules of Node.js that do no I/O. */
const pureBuiltins = ["node:crypto", "node:util", "node:zlib"];

describe("the structure of src", () => {
  it("src has only the parts that this test lists", () => {
    expect([...new Set(sources.map(partOf))].filter((part) => !(part in parts))).toEqual([]);
  });

  it("each part of src imports only the parts that it may import", () => {
    const wrong = sources.flatMap((file) => {
      const part = partOf(file);
      const { mayImport = [], because = "" } = parts[part] ?? {};
      return importsOf(file).flatMap((specifier) => {
        const target = targetOf(file, specifier);
        if (target === undefined) return [];
        const targetPart = partOf(target);
        const isAllowed = targetPart === part || mayImport.includes(targetPart);
        return isAllowed
          ? []
          : [
              `${file} imports ${specifier}: ${part} may import ${mayImport.join(", ") || "only itself"}, because ${because}`,
            ];
      });
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(layers))(
    "each subfolder and file of %s imports only from layers below its own",
    (folder, modulesByLayer) => {
      const layerOf = new Map(
        modulesByLayer.flatMap((names, layer) => names.map((name) => [name, layer])),
      );
      const moduleOf = (file: string) =>
        file.startsWith(`${folder}/`)
          ? file
              .slice(folder.length + 1)
              .split("/")[0]
              ?.replace(/(?:\.d)?\.ts$/, "")
          : undefined;
      const wrong = sources.flatMap((file) => {
        const module = moduleOf(file);
        if (module === undefined) return [];
        const layer = layerOf.get(module);
        if (layer === undefined) return [`${file}: this test does not list the module ${module}`];
        return importsOf(file).flatMap((specifier) => {
          const target = moduleOf(targetOf(file, specifier) ?? "");
          const isBelow =
            target === undefined || target === module || (layerOf.get(target) ?? layer) < layer;
          return isBelow
            ? []
            : [`${file} imports ${specifier}: ${target} is not in a layer below ${module}`];
        });
      });
      expect(wrong).toEqual([]);
    },
  );

  it("src has no import cycle, not even of type imports", () => {
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

  it("the core imports no module of Node.js that does I/O", () => {
    const builtins = sources
      .filter((file) => partOf(file) === "core")
      .flatMap((file) => importsOf(file).map((specifier) => `${file} imports ${specifier}`))
      .filter(
        (line) => line.includes(" node:") && !pureBuiltins.some((name) => line.endsWith(name)),
      );
    expect(builtins).toEqual([]);
  });

  it("src reads the environment only in src/config/config.ts", () => {
    const readers = sources.filter((file) =>
      /process\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b|\benv\b[^;]*from "node:process"/.test(
        read(file),
      ),
    );
    expect(readers).toEqual(["src/config/config.ts"]);
  });

  it("each large package is imported only in the folders that this test allows", () => {
    const owners: Readonly<Record<string, readonly string[]>> = {
      level: ["store", "embed"],
      "classic-level": [],
      "hnswlib-node": ["index"],
      "gpt-tokenizer": [],
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

describe("the structure of the web console", () => {
  const packages =
    /^(?:preact(?:\/hooks)?|@preact\/signals|@connectrpc\/connect(?:-web)?|@bufbuild\/protobuf(?:\/wkt)?|diff)$/;

  it("the web console imports only its own files, the stubs and the packages of this test", () => {
    const wrong = consoleSources.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => {
          const target = targetOf(file, specifier);
          return target === undefined
            ? !packages.test(specifier)
            : !/^(?:console\/src|gen)\//.test(target);
        })
        .map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("the web console never turns a text into markup or code", () => {
    const pattern =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|javascript:/;
    expect(placesOf(pattern, consoleSources)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { nodesOf, sources, targetOf } from "./source-files.js";

/**
 * The modules that start a server with default settings. The server loads them and their imports
 * before it answers health checks.
 */
const startFiles = [
  "src/main.ts",
  "src/cli/serve.ts",
  "src/server/start-server.ts",
  "src/store/level/level-store.ts",
];

/** Packages that a starting server must not load. They are large, or few servers need them. */
const latePackages = [
  "@bufbuild/protovalidate",
  "@huggingface/tokenizers",
  "@marcbachmann/cel-js",
  "@modelcontextprotocol/sdk",
  "@orama/stemmers",
  "ajv",
  "chrono-node",
  "diff",
  "jose",
  "pg",
  "porter2",
  "sorted-btree",
];

/** Folders and files that a starting server must not load. */
const lateFolders = [
  "src/core/memories",
  "src/core/search",
  "src/core/skills",
  "src/core/toolsets",
  "src/embed",
  "src/index",
  "src/mcp",
  "src/rpc/services/services.ts",
  "src/store/in-memory",
  "src/store/postgres",
  "src/tokens",
];

/** Returns the modules that a file imports statically, except imports of types. */
function loadedBy(file: string): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!/^(?:Import|Export(?:Named|All))Declaration$/.test(node.type)) return [];
    const { source, importKind, exportKind, specifiers } = node as {
      readonly source?: { readonly value: string } | null;
      readonly importKind?: string;
      readonly exportKind?: string;
      readonly specifiers?: readonly { readonly importKind?: string }[];
    };
    const isType =
      [importKind, exportKind].includes("type") ||
      (specifiers !== undefined &&
        specifiers.length > 0 &&
        specifiers.every((specifier) => specifier.importKind === "type"));
    return source && !isType ? [source.value] : [];
  });
}

/** Returns what a starting server loads. Maps each file or package to a file that imports it. */
function loadedAtStart(): ReadonlyMap<string, string> {
  const loaded = new Map<string, string>();
  const load = (file: string): void => {
    for (const specifier of loadedBy(file)) {
      const target = targetOf(file, specifier) ?? specifier;
      if (loaded.has(target)) continue;
      loaded.set(target, file);
      if (sources.includes(target)) load(target);
    }
  };
  for (const file of startFiles) load(file);
  return loaded;
}

describe("a start of the server", () => {
  const loaded = loadedAtStart();

  it("a starting server loads the modules that listen for calls and open the data folder", () => {
    expect([...loaded.keys()]).toEqual(
      expect.arrayContaining(["@grpc/grpc-js", "level", "src/rpc/rpc-server.ts"]),
    );
  });

  it.each(latePackages)("a starting server does not load %s", (name) => {
    const importers = [...loaded].filter(
      ([module]) => module === name || module.startsWith(`${name}/`),
    );
    expect(importers).toEqual([]);
  });

  it.each(lateFolders)("a starting server does not load %s", (folder) => {
    const importers = [...loaded].filter(
      ([module]) => module === folder || module.startsWith(`${folder}/`),
    );
    expect(importers).toEqual([]);
  });
});

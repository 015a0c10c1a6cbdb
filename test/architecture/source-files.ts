import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseAst } from "vitest/node";

const projectFolder = join(import.meta.dirname, "../..");

/** All files that git tracks or would add. */
export const tracked = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard"],
  {
    cwd: projectFolder,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(projectFolder, file)));
const ours = tracked.filter((file) => !/^(?:gen|third_party|models)\//.test(file));
/** Our files in TypeScript and JavaScript. Files that end in `.as.ts` are in AssemblyScript. */
export const code = ours.filter(
  (file) => /\.(?:tsx?|mjs|js)$/.test(file) && !file.endsWith(".as.ts"),
);
/** The files of `src`. */
export const sources = code.filter((file) => file.startsWith("src/"));
/** The files of the web console. */
export const consoleSources = code.filter((file) => file.startsWith("console/"));

/** Reads a tracked file. */
export function read(file: string): string {
  return readFileSync(join(projectFolder, file), "utf8");
}

/** A node of a syntax tree, with its place in the file. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const nodesByFile = new Map<string, readonly Node[]>();

/** Returns all nodes of the syntax tree of a file. Caches them, as several rules need them. */
export function nodesOf(file: string): readonly Node[] {
  const nodes = nodesByFile.get(file) ?? [...parsedNodes(file)];
  nodesByFile.set(file, nodes);
  return nodes;
}

function* parsedNodes(file: string): Generator<Node> {
  const pending: unknown[] = [parseAst(read(file), { lang: languageOf(file) })];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    if (isNode(value)) yield value;
    pending.push(...Object.values(value));
  }
}

function languageOf(file: string): "ts" | "tsx" | "js" {
  if (file.endsWith(".tsx")) return "tsx";
  return file.endsWith(".ts") ? "ts" : "js";
}

function isNode(value: object): value is Node {
  return "type" in value && "start" in value && "end" in value;
}

/** Returns the modules that a file imports, as its import statements write them. */
export function importsOf(file: string): string[] {
  const specifiers: string[] = [];
  for (const node of nodesOf(file)) {
    if (!/^(?:Import|Export|TSImport)/.test(node.type) || !("source" in node)) continue;
    const { source } = node as { source: { value?: unknown } | null };
    if (typeof source?.value === "string") specifiers.push(source.value);
  }
  return specifiers;
}

/** Returns the part of `src` to which a file belongs, or `gen` for generated stubs. */
export function partOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (first === "gen") return "gen";
  return second;
}

/** Returns the file that an import names, or `undefined` if the import names a package. */
export function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("#gen/")) return specifier.replace("#gen/", "gen/ts/");
  return specifier.startsWith(".")
    ? relative(projectFolder, join(projectFolder, dirname(file), specifier.replace(/\.js$/, ".ts")))
    : undefined;
}

/** Counts the lines of a text. */
export function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Returns the lines that match a pattern, as `file:line`. */
export function placesOf(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

const projectFolder = join(import.meta.dirname, "../..");

/** A reason and the code of its errors. */
interface Reason {
  readonly reason: string;
  readonly code: string;
}

/** Returns the reason of the error that an expression creates; `undefined` if it creates none. */
function reasonCreatedBy(node: object): Reason | undefined {
  if (!("callee" in node && "arguments" in node && Array.isArray(node.arguments))) return undefined;
  const name = (node.callee as { readonly name?: string }).name;
  const [first, second, third] = node.arguments.map((argument: object) =>
    "value" in argument ? String(argument.value) : "not a literal",
  );
  if (name === "VademecumError") return { code: String(first), reason: String(second) };
  return name === "invalidField"
    ? { code: "INVALID_ARGUMENT", reason: third ?? "INVALID_FIELD" }
    : undefined;
}

function reasonsIn(file: string): Reason[] {
  const reasons: Reason[] = [];
  const pending: unknown[] = [parseAst(readFileSync(file, "utf8"), { lang: "ts" })];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    const reason = reasonCreatedBy(value);
    if (reason !== undefined) reasons.push(reason);
    pending.push(...Object.values(value));
  }
  return reasons;
}

function sorted(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons.map(({ reason, code }) => `${reason} ${code}`))].sort();
}

// These files create errors with reasons from their callers.
const passThrough = [
  "src/core/model/errors.ts",
  "src/embed/onnx/inference-worker-client.ts",
  "src/rpc/forward/forwarded-error.ts",
].map((file) => join(projectFolder, file));
const sources = readdirSync(join(projectFolder, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".as.ts"))
  .map((file) => join(projectFolder, "src", file));
const memoryNotFound: Reason = { code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" };

describe("docs/reference/errors.md", () => {
  const page = readFileSync(join(projectFolder, "docs/reference/errors.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([A-Z_]+) \| (.+) \| (.+) \|$/gm)];

  it("docs/reference/errors.md has one row for each reason in the sources, with the code of its errors", () => {
    const inSources = sources.filter((file) => !passThrough.includes(file)).flatMap(reasonsIn);
    expect(sorted(rows.map(([, reason = "", code = ""]) => ({ reason, code })))).toEqual(
      sorted([...inSources, memoryNotFound]),
    );
  });

  it("docs/reference/errors.md says once for each reason when it happens and what to do", () => {
    expect(new Set(rows.map(([, reason]) => reason)).size).toBe(rows.length);
    for (const [, reason, , when, advice] of rows) {
      expect(when, reason).toMatch(/^[A-Z`].*\.$/);
      expect(advice, reason).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

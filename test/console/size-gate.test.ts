import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../dist/console/a");
const names = readdirSync(folder);

/** Returns the only file that ends with `ending`. */
function only(ending: string): string {
  const found = names.filter((name) => name.endsWith(ending));
  expect(found).toHaveLength(1);
  return join(folder, found[0] ?? "");
}

it.each([
  [".js", 360_000],
  [".js.br", 90_000],
  [".css", 24_000],
  [".css.br", 6_000],
])("the console has one file %s of at most %i bytes", (ending, bytesMax) => {
  expect(statSync(only(ending)).size).toBeLessThanOrEqual(bytesMax);
});

it("the console names no address of another host", () => {
  // Namespaces of XML are names, not addresses.
  const allowed =
    /^http:\/\/www\.w3\.org\/(?:2000\/svg|1998\/Math\/MathML|1999\/x(?:html|link)|XML\/1998\/namespace)$/;
  const found = [".js", ".css", ".svg"].flatMap((ending) =>
    [
      ...readFileSync(only(ending), "utf8").matchAll(
        /(?:https?:)?\/\/[a-z\d-]+(?:\.[a-z\d-]+)+[^\s"'`<>)\\]*/gi,
      ),
    ].map(([address]) => address),
  );
  expect(found.filter((address) => !allowed.test(address))).toEqual([]);
});

it("the console contains no descriptor of validation rules", () => {
  expect(readFileSync(only(".js"), "utf8")).not.toContain("StringRules");
});

it("the console contains the descriptors of the calls that it makes, and of no others", () => {
  const script = readFileSync(only(".js"), "utf8");
  for (const used of ["ApproveProposalRequest", "expected_version", "WatchInbox", "ErrorInfo"])
    expect(script).toContain(used);
  for (const unused of [
    "RegisterToolRequest",
    "StoreSkillRequest",
    "BackupHeader",
    "ImportMemories",
  ])
    expect(script).not.toContain(unused);
});

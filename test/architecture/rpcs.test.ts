import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allMethods } from "../e2e/isolation/services.js";

const endToEnd = join(import.meta.dirname, "..", "e2e");

const methods = await allMethods();

describe("the tests of a new RPC", () => {
  it("every RPC is called in a test of test/e2e, because the tests of all RPCs do not check what its replies say", async () => {
    const files = await readdir(endToEnd, { recursive: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.endsWith(".ts"))
        .map((file) => readFile(join(endToEnd, file), "utf8")),
    );
    const all = texts.join("\n");
    const uncalled = methods.filter(({ localName }) => !all.includes(`.${localName}(`));
    expect(uncalled.map(({ name }) => name)).toEqual([]);
  });
});

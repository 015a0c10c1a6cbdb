import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examples } from "../core/requests/mutations.js";
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

  it("every RPC with an idempotency key has an example of a mutation, because a key must cover all fields of a request", () => {
    const known = new Set(examples.map(({ rpc }) => rpc));
    const missing = methods.filter(
      ({ name, input }) => "idempotencyKey" in input.field && !known.has(name),
    );
    // Dispatch passes its key on to the use case of the function.
    expect(missing.map(({ name }) => name)).toEqual(["Dispatch"]);
  });
});

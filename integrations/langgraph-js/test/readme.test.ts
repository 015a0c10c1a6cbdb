import { join } from "node:path";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runReadme, serveTests } from "../../contract/typescript/index.js";

const { server } = serveTests({ beforeAll, afterAll, connect });

it("the program of the README prints what the README shows", () => {
  const run = runReadme(join(import.meta.dirname, ".."), server.address);
  expect(run.errors).toBe("");
  expect(run.printed).toBe(run.shown);
});

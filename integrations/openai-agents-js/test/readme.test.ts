import { join } from "node:path";
import { expect, it } from "vitest";
import { runReadme } from "../../contract/typescript/index.js";
import { useServer } from "./use-server.js";

const server = useServer();

it("the program of the README prints what the README shows", () => {
  const run = runReadme(join(import.meta.dirname, ".."), server.address);
  expect(run.errors).toBe("");
  expect(run.printed).toBe(run.shown);
});

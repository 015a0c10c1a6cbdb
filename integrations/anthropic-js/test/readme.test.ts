import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useServer } from "./use-server.js";

const server = useServer();
const folder = join(import.meta.dirname, "..");
const readme = readFileSync(join(folder, "README.md"), "utf8");

it("the program of the README prints what the README shows", () => {
  const [, program = "", output] = /```ts\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program.replace("127.0.0.1:8080", server.address)],
    { cwd: folder, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const date = /\d{4}-\d{2}-\d{2}/g;
  expect(stdout.replace(date, "DATE")).toBe(output?.replace(date, "DATE"));
});

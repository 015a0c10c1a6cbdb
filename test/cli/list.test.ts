import { fromJsonString } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import {
  CountResponseSchema,
  DeleteResponseSchema,
  GetResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { add, useShells } from "./shell.js";

const createShell = useShells();

describe("list", () => {
  it("list shows memories newest first, page by page", async () => {
    const shell = createShell();
    for (const content of ["one", "two", "three"]) await add(shell, content);
    const first = await shell(["list", "--limit", "2"]);
    expect(first.stdout).toMatch(/three[\s\S]*two/);
    const token = /--page-token (\S+)/.exec(first.stdout)?.[1] ?? "";
    const second = await shell(["list", "--limit", "2", "--page-token", token]);
    expect(second.stdout).toContain("one");
    expect(second.stdout).not.toContain("--page-token");
  });

  it("list --all shows all pages, each text before its id, and as JSON one memory a line", async () => {
    const shell = createShell();
    const ids = [];
    for (const content of ["one", "two", "three"]) ids.unshift(await add(shell, content));
    const { stdout } = await shell(["list", "--all", "--limit", "2"]);
    expect(stdout).toMatch(
      new RegExp(`^three\\n {2}${ids[0]} · [\\s\\S]*\\ntwo\\n[\\s\\S]*\\none\\n`),
    );
    expect(stdout).not.toContain("--page-token");
    const lines = (await shell(["list", "--all", "--limit", "2", "--json"])).stdout
      .trim()
      .split("\n");
    expect(lines.map((line) => fromJsonString(MemorySchema, line).id)).toEqual(ids);
    const page = (await shell(["list", "--limit", "2", "--json"])).stdout.trim().split("\n");
    expect(JSON.parse(page[2] ?? "")).toEqual({ nextPageToken: expect.any(String) as unknown });
  });

  it("list reports an empty namespace", async () => {
    expect((await createShell()(["list"])).stdout).toBe("No memories.\n");
  });

  it("list escapes control characters, so that none reach the terminal", async () => {
    const shell = createShell();
    await add(shell, "--tag", "\u001b]0;title\u0007", "\u001b[2Jgone");
    const { stdout } = await shell(["list"]);
    expect(stdout).toContain("\\u001b[2Jgone");
    expect(stdout).toContain("\\u001b]0;title\\u0007");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("count", () => {
  it("count prints the number alone, for scripts, or the reply as JSON", async () => {
    const shell = createShell();
    expect((await shell(["count"])).stdout).toBe("0\n");
    for (const content of ["one", "two"]) await add(shell, content);
    expect((await shell(["count"])).stdout).toBe("2\n");
    const { stdout } = await shell(["count", "--json"]);
    expect(fromJsonString(CountResponseSchema, stdout).count).toBe(2n);
  });
});

describe("get and delete", () => {
  it("get shows a memory, and delete deletes the memory once", async () => {
    const shell = createShell();
    const id = await add(shell, "gone soon");
    expect(
      fromJsonString(GetResponseSchema, (await shell(["get", "--json", id])).stdout).memory
        ?.content,
    ).toBe("gone soon");
    expect((await shell(["delete", id])).stdout).toBe(`Deleted ${id}.\n`);
    expect(await shell(["delete", id])).toMatchObject({
      exitCode: 0,
      stdout: `Nothing to delete: this namespace has no memory ${id}.\n`,
    });
    expect(
      fromJsonString(DeleteResponseSchema, (await shell(["delete", "--json", id])).stdout).deleted,
    ).toBe(false);
  });

  it("get reports a missing memory on standard error, with exit code 1", async () => {
    const id = "01993e8a-7c1b-7000-8000-1d2c3b4a5f60";
    const shell = createShell();
    expect(await shell(["get", id])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `error: memory '${id}' not found (NOT_FOUND, MEMORY_NOT_FOUND)\n`,
    });
    expect(await shell(["get", "nowhere"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error: this namespace has no memory 'nowhere'; see `vademecum list`\n",
    });
  });
});

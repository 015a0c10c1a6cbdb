import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import {
  BetaLocalFilesystemMemoryTool,
  type MemoryToolHandlers,
} from "@anthropic-ai/sdk/tools/memory/node";
import { afterAll, expect, it } from "vitest";
import type { MemoryCommand } from "../src/index.js";
import { newTool, useServer } from "./use-server.js";

useServer();
const folder = mkdtempSync(join(tmpdir(), "vademecum-anthropic-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Command = Parameters<ReturnType<typeof betaMemoryTool>["run"]>[0];

/** Executes commands with a tool, and returns the texts that the model gets. */
async function answersOf(tool: MemoryToolHandlers, commands: readonly MemoryCommand[]) {
  const { run } = betaMemoryTool(tool);
  const answers: unknown[] = [];
  for (const command of commands)
    answers.push(
      await Promise.resolve()
        .then(() => run(command as Command))
        .catch((error: unknown) => String(error)),
    );
  // The size of a directory of a file system says nothing about its files.
  return answers.map((it) => String(it).replace(/(?<=node_modules:\n)\S+\t|^\S+\t(?=.*\/$)/gm, ""));
}

const [path, file_text] = ["/memories/notes.md", "one\ntwo\nthree\ntwo and a half\n"];
const create: MemoryCommand = { command: "create", path, file_text };
const view: MemoryCommand = { command: "view", path };
const root: MemoryCommand = { command: "view", path: "/memories" };
const files = [
  "a/b/c.md",
  "a/b/d/e.md",
  "a/z.md",
  "a.md",
  ".hidden",
  "node_modules/x",
  "ünï 🌰.md",
].map((name): MemoryCommand => ({ ...create, path: `/memories/${name}` }));
const replace = (old_str: string, new_str: string): MemoryCommand[] => [
  create,
  { command: "str_replace", path, old_str, new_str },
  view,
];
const insert = (insert_line: number, insert_text = "zero\n"): MemoryCommand[] => [
  create,
  { command: "insert", path, insert_line, insert_text },
  view,
];
const rename = (from: string, to: string): MemoryCommand => ({
  command: "rename",
  old_path: `/memories/${from}`,
  new_path: `/memories/${to}`,
});
const remove = (name: string): MemoryCommand => ({ command: "delete", path: `/memories/${name}` });

const cases: Record<string, readonly MemoryCommand[]> = {
  "an empty root is listed": [root],
  "files are listed two levels deep, without hidden ones": [...files, root],
  "a directory is listed": [...files, { command: "view", path: "/memories/a" }],
  "a file is shown with line numbers": [create, view],
  "an empty file is shown": [{ ...create, file_text: "" }, view],
  "some lines of a file are shown": [create, { ...view, view_range: [2, 3] }],
  "the lines to the end are shown": [create, { ...view, view_range: [3, -1] }],
  "more lines than the file has are shown as far as they go": [
    create,
    { ...view, view_range: [0, 99] },
  ],
  "a missing file cannot be shown": [view],
  "a path outside cannot be shown": [{ command: "view", path: "/etc/passwd" }],
  "a path that leaves the root is refused": [
    { command: "view", path: "/memories/../../etc/passwd" },
  ],
  "a file cannot be created twice": [create, { ...create, file_text: "other" }, view],
  "a text is replaced": replace("three", "3\n3"),
  "a text with special signs is replaced literally": replace("three", "$& $1 \\n"),
  "a text is removed": replace("one\n".trim(), ""),
  "a text that is missing is not replaced": replace("four", "4"),
  "a text that occurs twice is not replaced": replace("two", "2"),
  "a text in a missing file is not replaced": replace("one", "1").slice(1),
  "a text is inserted at the beginning": insert(0),
  "a text is inserted in the middle": insert(2),
  "a text of two lines is inserted at the end": insert(5, "five\nsix"),
  "a text is not inserted after the end": insert(6),
  "a text is not inserted before the beginning": insert(-1),
  "a text is not inserted into a missing file": insert(0).slice(1),
  "a file is deleted": [create, remove("notes.md"), view, remove("notes.md")],
  "a directory is deleted": [...files, remove("a"), root],
  "a deleted file can be created again": [
    create,
    remove("notes.md"),
    { ...create, file_text: "new" },
    view,
  ],
  "a file is renamed": [
    create,
    rename("notes.md", "x/y.md"),
    view,
    { ...view, path: "/memories/x/y.md" },
  ],
  "a directory is renamed": [...files, rename("a", "q"), root],
  "a missing file is not renamed": [rename("no.md", "x.md")],
  "a file is not renamed to another": [
    ...files,
    rename("a.md", "a/z.md"),
    rename("a.md", "a"),
    root,
  ],
};

it.each(Object.entries(cases))("%s, as in the file tool of the SDK", async (name, commands) => {
  const tool = await BetaLocalFilesystemMemoryTool.init(join(folder, name));
  expect(await answersOf(newTool(), commands)).toEqual(await answersOf(tool, commands));
});

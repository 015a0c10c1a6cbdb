import { readdir } from "node:fs/promises";
import { Command } from "commander";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";

const examples = `
Examples:
  $ vademecum demo
  $ vademecum demo --data example-data
  $ vademecum serve --demo

Fills an empty folder with an example: two users, three agents, two months of conversations,
memories, blocks, proposals in every state, skills, and a tool with denied queries. Then start a
server on the folder. \`vademecum serve --demo\` does both, and opens the web console.`;

/** The folder of the example, unless another one is given. */
export const demoFolder = "./demo";

/** Creates the command `demo`, which fills a folder with an example. */
export function demoCommand(io: CommandIo): Command {
  return new Command("demo")
    .description("Fill an empty folder with an example world, to look around.")
    .option("--data <folder>", `The folder, which must be empty. Default: ${demoFolder}.`)
    .addHelpText("after", examples)
    .action(async ({ data = demoFolder }: { readonly data?: string }) => {
      if (!(await isEmptyFolder(data)))
        throw new CommandFailure(
          `--data: the folder '${data}' is not empty; choose another one`,
          2,
        );
      await fill(data, io);
      await printLine(io.stdout, `${io.invocation} serve --data ${data}`);
    });
}

/** Fills the folder with the example, unless it has data already. */
export async function fillIfEmpty(data: string, io: CommandIo): Promise<void> {
  if (await isEmptyFolder(data)) await fill(data, io);
}

async function fill(data: string, io: CommandIo): Promise<void> {
  const { fillDemoFolder } = await import("./demo/fill-demo-folder.js");
  await fillDemoFolder(data, Date.now(), io.stderr);
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw new CommandFailure(`--data: cannot read '${folder}'`, 2);
  }
}

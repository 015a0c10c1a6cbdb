// The first lines of a client's README as a program: what a reader copies is what runs here.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the program of each README prints. */
export const firstLinesOutput = `- Ada is allergic to hazelnuts
Ada is allergic to hazelnuts
INVALID_FIELD content
`;

/** Where the server of a README's program listens. */
const usualAddress = /127\.0\.0\.1:(?:50051|8080)/;

/** Writes a small project: the first block of code of a README, with another address, as `file`, and `others`, texts by the names of their files. */
export function writeFirstLines({ readme, folder, file, others = {} }, address) {
  const [, program] = /^```\w+\n(.*?)^```/ms.exec(readFileSync(readme, "utf8")) ?? [];
  if (program === undefined || !usualAddress.test(program))
    throw new Error(`${readme} has no program for the usual address`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const files = { [file]: program.replace(usualAddress, address), ...others };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

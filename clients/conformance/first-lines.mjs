// Runs the first program of a client's README, so that the lines that readers copy are tested.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The output of the program in each README. */
export const firstLinesOutput = `- Ada is allergic to hazelnuts
Ada is allergic to hazelnuts
INVALID_FIELD content
`;

/** The server address in the program of a README. */
const usualAddress = /127\.0\.0\.1:(?:50051|8080)/;

/**
 * Writes a small project. `file` receives the first code block of the README with `address` as the
 * address of the server. `others` maps the names of further files to their texts.
 */
export function writeFirstLines({ readme, folder, file, others = {} }, address) {
  const [, program] = /^```\w+\n(.*?)^```/ms.exec(readFileSync(readme, "utf8")) ?? [];
  if (program === undefined || !usualAddress.test(program))
    throw new Error(`${readme} has no program for the usual address`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const files = { [file]: program.replace(usualAddress, address), ...others };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

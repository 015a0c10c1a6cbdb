// Makes a project from the first program of a page, a client's README or a tutorial, so that tests
// can run the program that readers copy.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The output that the first program of every README must have. */
export const firstLinesOutput = `- Ada is allergic to hazelnuts
Ada is allergic to hazelnuts
INVALID_FIELD content
`;

/** The default address of a server, as in the program of a page. */
const usualAddress = /127\.0\.0\.1:(?:50051|8080)/;

/**
 * Writes a small project with the first program of the page `readme` into `folder`. The program
 * goes into `file`; it calls the server at `address`. `others` has the texts of further files by
 * name. Blocks of shell commands are no programs.
 */
export function writeFirstLines({ readme, folder, file, others = {} }, address) {
  const [, program] = /^```(?!sh\n)\w+\n(.*?)^```/ms.exec(readFileSync(readme, "utf8")) ?? [];
  if (program === undefined || !usualAddress.test(program))
    throw new Error(`the first code block of ${readme} calls neither port of the usual address`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const files = { [file]: program.replace(usualAddress, address), ...others };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

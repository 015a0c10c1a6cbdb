// Makes projects from the programs of a page, a client's README or a tutorial, so that tests can
// run the programs that readers copy.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The default address of a server, as in the programs of a page. */
const usualAddress = /127\.0\.0\.1:(?:50051|8080)/;

/** A block of code, and the text that the program prints, if the page shows it. */
const codeBlock = /^```(?!sh\n)\w+\n(.*?)^```\n(?:\nprints\n\n((?: {4}[^\n]*\n|\n)+))?/gms;

/**
 * Returns the programs of a page that call a server at the usual address, in their order. `output`
 * is what a program prints, or `undefined` if the page does not show it. Blocks of shell commands
 * are no programs.
 * @param {string} readme The path of the page.
 */
export function programsOf(readme) {
  const blocks = [...readFileSync(readme, "utf8").matchAll(codeBlock)];
  const programs = blocks
    .filter(([, program = ""]) => usualAddress.test(program))
    .map(([, program = "", output]) => ({ program, output: output && unindented(output) }));
  if (programs.length === 0) throw new Error(`no program of ${readme} calls the usual address`);
  return programs;
}

/** @param {string} text */
function unindented(text) {
  return `${text.trim().replaceAll(/^ +/gm, "")}\n`;
}

/**
 * Writes a small project with a program into `folder`. The program goes into `file`; it calls the
 * server at `address`. `others` has the texts of further files by name.
 *
 * @param {{ folder: string, file: string, others?: Readonly<Record<string, string>> }} project
 * @param {string} program
 * @param {string} address
 */
export function writeProgram({ folder, file, others = {} }, program, address) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const files = { [file]: program.replace(usualAddress, address), ...others };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the program of a README printed, and what the README shows. Dates are `DATE`. */
export interface ReadmeRun {
  readonly printed: string;
  readonly shown: string;
  readonly errors: string;
}

/**
 * Runs the first program of a package's README that is followed by its output.
 *
 * @param folder the folder of the package
 * @param address the server that replaces `127.0.0.1:8080` in the program
 * @throws Error when the README has no such program
 */
export function runReadme(folder: string, address: string): ReadmeRun {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [, program, output] = /```[jt]s\n((?:(?!```).)*)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
  if (program === undefined || output === undefined)
    throw new Error("the README has no program with its output");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program.replace("127.0.0.1:8080", address)],
    { cwd: folder, encoding: "utf8" },
  );
  const withoutDates = (text: string) => text.replace(/\d{4}-\d{2}-\d{2}/g, "DATE");
  return { printed: withoutDates(stdout), shown: withoutDates(output), errors: stderr };
}

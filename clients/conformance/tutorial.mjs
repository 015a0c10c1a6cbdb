// Runs a tutorial as its readers do: writes its program, and runs its commands one after another.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { programsOf, writeProgram } from "./first-lines.mjs";

const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/;
const allIds = new RegExp(idPattern, "g");
const allTimes = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** The command with which a reader finds the id of the proposal. */
const listCommand = "node dist/main.js proposals --user ada --limit 1 --json";

/**
 * Runs each command whose output the page shows, in the order of the page. Throws when a command
 * prints something else; ids and times may differ. An id in a command stands for the id of the
 * newest proposal. In the commands, `tutorial/` is the folder of the project.
 *
 * The project is as in `writeProgram`. The program calls the server at `address`, and the
 * command line calls it at `grpcAddress`.
 */
export function runTutorial(project, { projectFolder, address, grpcAddress }) {
  const [{ program }] = programsOf(project.readme);
  writeProgram(project, program, address);
  const page = readFileSync(project.readme, "utf8");
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```\n(?:\n```\n(.*?)^```$)?/gms)];
  const examples = blocks.filter(([, , expected]) => expected !== undefined);
  if (examples.length === 0) throw new Error(`${project.readme} shows no output of a command`);
  const shell = (command) => {
    const { stdout, status } = spawnSync("sh", ["-ec", command], {
      cwd: projectFolder,
      encoding: "utf8",
      env: { ...process.env, VADEMECUM_SERVER: grpcAddress },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`exited with ${status}: ${command}`);
    return stdout;
  };
  for (const [, command, expected] of examples) {
    const here = command.replaceAll("tutorial/", `${project.folder}/`);
    const id = idPattern.test(here) ? newestProposal(shell) : "";
    const printed = shell(here.replaceAll(allIds, id));
    if (comparable(printed) !== comparable(expected))
      throw new Error(`unexpected output of ${command}: ${JSON.stringify(printed)}`);
  }
}

/** @param {(command: string) => string} shell */
function newestProposal(shell) {
  const [proposal] = shell(listCommand).split("\n", 1);
  return JSON.parse(proposal).id;
}

function comparable(output) {
  return output.replaceAll(allIds, "ID").replaceAll(allTimes, "TIME");
}

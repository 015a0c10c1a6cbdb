import { loadavg } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { runDamage } from "./scenarios/damage.js";
import { runKill } from "./scenarios/kill.js";
import { runModel } from "./scenarios/model.js";
import type { ScenarioOptions } from "./scenarios/scenario.js";
import type { Tally } from "./tally.js";

interface Options {
  readonly seed?: number;
  readonly rounds: number;
}

/**
 * Runs `npm run faults -- FAULT [OPTION ...]`: prints the seed, the progress, and a table of what
 * happened. Sets the exit code to 1 if there was harm.
 */
export async function runFaults(args: readonly string[]): Promise<void> {
  const program = new Command("npm run faults --").description(
    "Cause faults in a real server, and count what was lost.",
  );
  rounds(program.command("kill"), 150)
    .description("Kill the server under load, at random moments.")
    .action((options: Options) =>
      run("kill", options, (common) => runKill({ ...common, rounds: options.rounds })),
    );
  seeded(program.command("damage"))
    .description("Flip, cut and remove parts of a data folder, and compare every table.")
    .option("--places <n>", "How many places are damaged, one at a time.", count, 10_000)
    .action((options: Options & { readonly places: number }) =>
      run("damage", options, (common) => runDamage({ ...common, places: options.places })),
    );
  seeded(program.command("model"))
    .description("Compare random commands with plain maps, with restarts and kills among them.")
    .option("--operations <n>", "The least number of operations.", count, 100_000)
    .action((options: Options & { readonly operations: number }) =>
      run("model", options, (common) => runModel({ ...common, operations: options.operations })),
    );
  await program.parseAsync(args, { from: "user" });
}

function rounds(command: Command, byDefault: number): Command {
  return seeded(command).option("--rounds <n>", "How often the fault is caused.", count, byDefault);
}

function seeded(command: Command): Command {
  return command.option("--seed <n>", "Repeats the choices of an earlier run.", count);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("a whole number of at least 1");
  return value;
}

async function run(
  fault: string,
  { seed = 1 + (Date.now() % 1_000_000) }: { readonly seed?: number },
  scenario: (options: ScenarioOptions) => Promise<Tally>,
): Promise<void> {
  const began = performance.now();
  print(`${fault}: --seed ${seed}, load average ${(loadavg()[0] ?? 0).toFixed(2)}`);
  const tally = await scenario({ seed, report: print });
  const seconds = (performance.now() - began) / 1000;
  print(`\n${tally.table()}\n\n${fault}: --seed ${seed}, ${seconds.toFixed(0)} s`);
  if (!tally.isSound) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

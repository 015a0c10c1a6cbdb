import { loadavg } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { runClock } from "./scenarios/clock.js";
import { runDamage } from "./scenarios/damage.js";
import { runDiskFull } from "./scenarios/disk-full.js";
import { runImages } from "./scenarios/images.js";
import { runKill } from "./scenarios/kill.js";
import { runLoad } from "./scenarios/load.js";
import { runModel } from "./scenarios/model.js";
import type { RoundOptions, ScenarioOptions } from "./scenarios/scenario.js";
import { runSignals } from "./scenarios/signals.js";
import { runSync } from "./scenarios/sync.js";
import type { Tally } from "./tally.js";

/** The options of the command line. Each fault takes some of them. */
interface Options {
  readonly seed?: number;
  readonly rounds: number;
  readonly places: number;
  readonly operations: number;
  readonly minutes: number;
  readonly require?: boolean;
}

/**
 * Runs `npm run faults -- FAULT [OPTION ...]`: prints the seed, the progress, and a table of what
 * happened. Sets the exit code to 1 if there was harm.
 */
export async function runFaults(args: readonly string[]): Promise<void> {
  const program = new Command("npm run faults --").description(
    "Cause faults in a real server or store, and count what they harm. Exit code 1: they did harm.",
  );
  const fault = (
    name: string,
    what: string,
    run: (options: ScenarioOptions, given: Options) => Promise<Tally>,
  ) =>
    program
      .command(name)
      .description(what)
      .option("--seed <n>", "Make the choices of an earlier run. Default: random.", count)
      .action((given: Options) => runFault(name, given.seed, (options) => run(options, given)));
  const rounds = (
    name: string,
    byDefault: number,
    what: string,
    run: (options: RoundOptions, given: Options) => Promise<Tally>,
  ) =>
    fault(name, what, (options, given) => run({ ...options, rounds: given.rounds }, given)).option(
      "--rounds <n>",
      "How often the fault is caused.",
      count,
      byDefault,
    );
  rounds("kill", 500, "Kill a server under load, at random moments.", runKill);
  fault(
    "damage",
    "Damage files of a data folder, and compare every table.",
    (options, { places }) => runDamage({ ...options, places }),
  ).option("--places <n>", "How many places are damaged, one at a time.", count, 10_000);
  rounds("disk-full", 10, "Fill the disk of a server under load.", (options, given) =>
    runDiskFull({ ...options, isRequired: given.require === true }),
  ).option("--require", "Fail where no disk can be mounted, instead of skipping the run.");
  rounds("images", 100, "Kill a server that saves images, and damage the images.", runImages);
  rounds("sync", 20, "Let syncs of a server under load fail.", runSync);
  rounds("clock", 200, "Move the clock of a server by up to three days.", runClock);
  rounds(
    "signals",
    10,
    "Send SIGSTOP, SIGCONT and SIGTERM, and start a second server.",
    runSignals,
  );
  fault("load", "Fill and empty namespaces, and measure what the server holds.", (options, given) =>
    runLoad({ ...options, length: { unit: "minutes", amount: given.minutes } }),
  ).option("--minutes <n>", "How long the load lasts.", count, 30);
  fault("model", "Compare random commands with plain maps.", (options, { operations }) =>
    runModel({ ...options, operations }),
  ).option("--operations <n>", "The minimum number of operations.", count, 100_000);
  await program.parseAsync(args, { from: "user" });
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return value;
}

async function runFault(
  fault: string,
  givenSeed: number | undefined,
  scenario: (options: ScenarioOptions) => Promise<Tally>,
): Promise<void> {
  const seed = givenSeed ?? 1 + (Date.now() % 1_000_000);
  const began = performance.now();
  print(`${fault} --seed ${seed}, load average ${(loadavg()[0] ?? 0).toFixed(2)} at the start`);
  const tally = await scenario({ seed, report: print });
  const seconds = (performance.now() - began) / 1000;
  print(`\n${tally.table()}\n\n${fault} --seed ${seed}, ${seconds.toFixed(0)} s`);
  if (!tally.isSound) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { anyNumber, commandOf, type ModelCommand } from "../model/command.js";
import { editingCommands, expectBlocks, expectProposals } from "../model/editing-commands.js";
import { expectKeys, keyCommands } from "../model/key-commands.js";
import { expectMemories, memoryCommands } from "../model/memory-commands.js";
import {
  createModel,
  type Model,
  namespaceCount,
  pickFrom,
  runCount,
  userCount,
} from "../model/model.js";
import { type Real, type SharedServer, startSharedServer } from "../model/real.js";
import { expectSkills, skillCommands } from "../model/skill-commands.js";
import { Tally } from "../tally.js";
import type { ScenarioOptions } from "./scenario.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** The options of the comparison with a model. */
export interface ModelOptions extends ScenarioOptions {
  /** Minimum number of operations in all runs together. */
  readonly operations: number;
}

/** Time for a run and, if it fails, for finding a smaller run that fails too. */
const shrinkMaxMs = 120_000;

/** Maximum number of commands in one run. */
const commandsMax = 300;

const repeat = commandOf("repeat", fc.record({ number: anyNumber }), async ({ number }, model) => {
  const call = pickFrom(model.keyedCalls, number);
  if (call === undefined) return;
  const { name, made, reply, redo } = call;
  if (made === undefined || (model.deletions.get(made.target) ?? 0) === made.deletions) {
    expect(madeBy(await call.send()), name).toEqual(madeBy(reply));
  } else if (redo !== undefined) {
    model.keyedCalls.splice(model.keyedCalls.indexOf(call), 1);
    redo(await call.send());
  }
});

/** A record in a reply. */
interface FoundRecord {
  readonly id?: string;
  readonly label?: string;
  readonly version?: bigint;
}

/**
 * Returns what a reply says about the first call: a record in the reply to a repetition is the
 * record as it is now.
 */
function madeBy(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null) return reply;
  const { memory, skill, proposal, label, replayedVersion, ...others } = reply as FoundRecord & {
    readonly [name in "memory" | "skill" | "proposal"]?: FoundRecord;
  } & { readonly replayedVersion?: bigint };
  if (label !== undefined) return label;
  if (skill !== undefined || proposal !== undefined) return (skill ?? proposal)?.id;
  if (memory === undefined) return others;
  return { ...others, id: memory.id, version: replayedVersion ?? memory.version };
}

const restart = commandOf(
  "restart",
  fc.record({ signal: fc.constantFrom("SIGTERM", "SIGKILL") }),
  ({ signal }, _, real) => real.restart(signal),
);

const commands: fc.Arbitrary<ModelCommand> = fc.oneof(
  ...memoryCommands.map((one) => ({ ...one, weight: one.weight * 10 })),
  ...editingCommands.map((one) => ({ ...one, weight: one.weight * 10 })),
  ...keyCommands.map((one) => ({ ...one, weight: one.weight * 10 })),
  ...skillCommands.map((one) => ({ ...one, weight: one.weight * 10 })),
  { weight: 60, arbitrary: repeat },
  { weight: 2, arbitrary: restart },
);

/**
 * Runs random commands against a real server through a real client, and against plain maps. Each
 * reply, and at the end every listing, must be what the maps say.
 */
export async function runModel(options: ModelOptions): Promise<Tally> {
  const { seed, operations, report } = options;
  const tally = new Tally(["wrong", "wrong process state"], options.report);
  await withTemporaryFolder(async (folder) => {
    await using server = await startSharedServer(join(folder, "data"), tally);
    for (let run = 0; tally.of("operations") < operations && tally.isSound; run++) {
      await runOnce(server, tally, seed + run, operations);
      tally.count("runs");
      report(tally.line());
    }
  });
  return tally;
}

/**
 * Checks one sequence of commands. If it fails, fast-check looks for a shorter sequence that fails
 * too.
 */
async function runOnce(
  server: SharedServer,
  tally: Tally,
  seed: number,
  operations: number,
): Promise<void> {
  let attempts = 0;
  const property = fc.asyncProperty(
    fc.commands([commands], { maxCommands: Math.min(commandsMax, operations), size: "max" }),
    async (chosen) => {
      const real = server.forRun(`${seed} ${attempts++}`);
      const model = createModel();
      await fc.asyncModelRun(() => ({ model, real }), chosen);
      await expectAll(model, real);
    },
  );
  const limit = { interruptAfterTimeLimit: shrinkMaxMs };
  const details = await fc.check(property, { seed, numRuns: 1, ...limit });
  if (!details.failed) return;
  const error = details.errorInstance;
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tally.harm("wrong", `${cause}\n${fc.defaultReportMessage(details)}`);
}

async function expectAll(model: Model, real: Real): Promise<void> {
  for (let of = 0; of < namespaceCount; of++) {
    await expectMemories(model, real, of);
    await expectSkills(model, real, of);
  }
  for (let of = 0; of < userCount; of++) {
    await expectBlocks(model, real, of, "style");
    await expectProposals(model, real, of);
  }
  for (let of = 0; of < runCount; of++) await expectKeys(model, real, of);
}

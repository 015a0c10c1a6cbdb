import { createRunClient, type RunClient } from "../../e2e/harness/run-client.js";
import { endOf } from "./failures.js";
import type { Lane, LaneParts, Sent } from "./lane.js";

const keys = ["one", "two", "three", "four", "five"] as const;

/** A write of a key. If `value` is `undefined`, a deletion of the key. */
interface Write {
  readonly key: string;
  readonly value: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** Creates a lane that writes and deletes the keys of a run of its own. */
export function createKeyLane({ name, random, tally }: LaneParts): Lane {
  const certain = new Map<string, string>();
  let unknown: Write | undefined;
  let count = 0;

  function apply({ key, value }: Write): void {
    if (value === undefined) certain.delete(key);
    else certain.set(key, value);
  }

  return {
    async send(connection): Promise<Sent> {
      count += 1;
      const write: Write = {
        key: random.pick(keys),
        value: random.chance(0.3) ? undefined : `${name} ${count}`,
        idempotencyKey: random.chance(0.5) ? `${name} ${count}` : undefined,
      };
      try {
        await sendWrite(createRunClient(connection, name), write);
      } catch (error) {
        const end = endOf(error);
        if (end === "unknown") {
          unknown = write;
          tally.count("unknown outcomes");
        }
        return end;
      }
      apply(write);
      tally.count("acknowledged");
      return "answered";
    },
    async check(connection) {
      const run = createRunClient(connection, name);
      if (unknown !== undefined) {
        const { key, value } = unknown;
        if ((await run.read(key)) === value && certain.get(key) !== value) {
          tally.count("unknown, applied");
          apply(unknown);
        }
      }
      await compare(run);
      if (unknown?.idempotencyKey !== undefined) {
        await sendWrite(run, unknown);
        tally.count("repeated");
        apply(unknown);
        await compare(run);
      }
      unknown = undefined;
    },
  };

  async function compare(run: RunClient): Promise<void> {
    // A listed key without a value, or the reverse, would be half of a write.
    const listed = new Set(await run.list());
    for (const key of keys) {
      const value = await run.read(key);
      const expected = certain.get(key);
      if (listed.has(key) !== (value !== undefined))
        tally.harm("wrong", `${name}: ${key} is half written`);
      if (value === expected) continue;
      if (expected === undefined) tally.harm("back from deletion", `${name}: ${key} '${value}'`);
      else tally.harm("lost", `${name}: ${key} has '${value}' instead of '${expected}'`);
      apply({ key, value, idempotencyKey: undefined });
    }
  }
}

function sendWrite(run: RunClient, { key, value, idempotencyKey }: Write): Promise<boolean> {
  return value === undefined
    ? run.delete(key, idempotencyKey)
    : run.write(key, value, idempotencyKey);
}

import { createUserClient, type UserClient } from "../../e2e/harness/user-client.js";
import { endOf } from "./failures.js";
import type { Lane, LaneParts, Sent } from "./lane.js";
import { orMissing } from "./missing.js";

/** The bodies of a block's versions, oldest first. Empty: the block does not exist. */
type Versions = readonly string[];

/** A write or a deletion of the block. A deletion has no `body`. */
interface Write {
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** When the block has this many versions, the next request deletes it. */
const versionsMax = 40;

/** Creates a lane that writes and deletes a block of its own. */
export function createBlockLane({ userId, name, random, tally }: LaneParts): Lane {
  let certain: Versions = [];
  let unknown: Write | undefined;
  let count = 0;

  const after = (versions: Versions, { body }: Write): Versions =>
    body === undefined ? [] : [...versions, body];

  async function sendWrite(user: UserClient, { body, idempotencyKey }: Write): Promise<void> {
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    if (body === undefined) await user.blocks.deleteBlock({ userId, label: name, ...key });
    else await user.put(body, { label: name, ...key });
  }

  return {
    async send(connection): Promise<Sent> {
      count += 1;
      const isDeletion = certain.length >= versionsMax || random.chance(0.1);
      const write: Write = {
        body: isDeletion ? undefined : `${name} ${count}`,
        idempotencyKey: random.chance(0.5) ? `${name} ${count}` : undefined,
      };
      try {
        await sendWrite(clientOf(connection), write);
      } catch (error) {
        const end = endOf(error);
        if (end === "unknown") {
          unknown = write;
          tally.count("unknown outcomes");
        }
        return end;
      }
      certain = after(certain, write);
      tally.count("acknowledged");
      return "answered";
    },
    async check(connection) {
      const user = clientOf(connection);
      const found = await read(user);
      let wasApplied = false;
      if (unknown !== undefined) {
        const next = after(certain, unknown);
        wasApplied = isSame(found, next) && !isSame(found, certain);
        if (wasApplied) {
          tally.count("unknown, applied");
          certain = next;
        }
      }
      compare(found);
      if (unknown?.idempotencyKey !== undefined) {
        await sendWrite(user, unknown);
        tally.count("repeated");
        if (!wasApplied) certain = after(certain, unknown);
        compare(await read(user));
      }
      unknown = undefined;
    },
  };

  function clientOf(connection: Parameters<Lane["send"]>[0]): UserClient {
    return createUserClient(connection, { userId, agentId: name });
  }

  /** Reads all versions. Counts harm if the block differs from its newest version. */
  async function read(user: UserClient): Promise<Versions> {
    const bodies = ((await orMissing(user.versions(name))) ?? [])
      .map(({ body }) => body)
      .toReversed();
    const current = await orMissing(user.block(name));
    if (current?.body !== bodies.at(-1) || Number(current?.version ?? 0n) !== bodies.length)
      tally.harm("wrong", `${name}: the block is not its newest version`);
    return bodies;
  }

  /** Counts a difference as harm. From then on, expects what was found. */
  function compare(found: Versions): void {
    if (isSame(found, certain)) return;
    const what = `${name}: versions '${found.join()}' instead of '${certain.join()}'`;
    if (certain.length === 0) tally.harm("back from deletion", what);
    else if (new Set(found).size < found.length) tally.harm("doubled", what);
    else tally.harm(found.length < certain.length ? "lost" : "wrong", what);
    certain = found;
  }
}

function isSame(a: Versions, b: Versions): boolean {
  return a.length === b.length && a.every((body, i) => body === b[i]);
}

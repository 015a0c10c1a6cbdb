import { createHash } from "node:crypto";
import { type Instant, millisOfInstant } from "./instant.js";
import type { Edit, ProposalTarget } from "./proposal.js";

/**
 * The keys of all tables whose keys are not plain ids, names or labels. A store sorts the records
 * of a table by the UTF-8 bytes of their keys, so each encoding below fixes an order.
 *
 * Data folders and databases contain these keys, so another encoding is another format of both.
 * docs/internals/data-format.md describes the bytes.
 */

/** Hexadecimal digits of a time in milliseconds: enough until the year 10889. */
const timeDigits = 12;

/** Hexadecimal digits of a version. */
const versionDigits = 12;

/** Hexadecimal digits of a position: they hold every safe integer. */
const positionDigits = 14;

/** Hexadecimal digits of a length. */
const lengthDigits = 4;

/** Returns a number in hexadecimal with leading zeros, so that byte order is numeric order. */
function sortable(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** The key of the only record in `deliveries`. */
export const deliveryKey = "webhook";

/** A record of the tables `timeline` and `skillTimeline`. */
interface Created {
  readonly createTime: Instant;
  readonly id: string;
}

/** Returns the key in `timeline` or `skillTimeline`: byte order is `createTime`, then id. */
export function timelineKey({ createTime, id }: Created): string {
  return sortable(millisOfInstant(createTime), timeDigits) + id;
}

/** Returns the id in a key of `timelineKey`. */
export function idOfTimelineKey(key: string): string {
  return key.slice(timeDigits);
}

/** Returns the milliseconds since 1970 in a key of `timelineKey`. */
export function millisOfTimelineKey(key: string): number {
  return Number.parseInt(key.slice(0, timeDigits), 16);
}

/** Hexadecimal digits of seconds: enough until the year 9999, from the year 1. */
const secondsDigits = 10;

/** Hexadecimal digits of nanoseconds. */
const nanosDigits = 8;

/** Seconds from the year 1, the first of an event time, to 1970. */
const secondsBefore1970 = 62_135_596_800;

/** Returns the key in `threadTurns`: byte order is the thread, then `happenedAt`, then id. */
export function threadTurnKey(threadId: string, happenedAt: Instant, id: string): string {
  const seconds = sortable(happenedAt.seconds + secondsBefore1970, secondsDigits);
  return threadTurnPrefix(threadId) + seconds + sortable(happenedAt.nanos, nanosDigits) + id;
}

/** Returns the prefix that the keys of a thread's turns share. No other key has it. */
export function threadTurnPrefix(threadId: string): string {
  return withLength(threadId);
}

/** Returns the id of the turn in a key of `threadTurnKey`. */
export function idOfThreadTurnKey(threadId: string, key: string): string {
  return key.slice(threadTurnPrefix(threadId).length + secondsDigits + nanosDigits);
}

/**
 * Returns the key in `replies`. Idempotency keys of different RPCs are independent. If the RPC
 * changes records of an agent, the keys of different agents are independent too. `agentId` is
 * `undefined` for other RPCs. The key has only a digest of the idempotency key, because the
 * idempotency key also protects the digest of the request (`replyOnce`).
 */
export function replyKey(rpc: string, agentId: string | undefined, idempotencyKey: string): string {
  const digest = createHash("sha256").update(idempotencyKey).digest("base64url");
  return agentId === undefined
    ? `${rpc}\0${digest}`
    : `${rpc}\x01${agentId.length}:${agentId}${digest}`;
}

/** Returns the RPC in a key of `replyKey`. */
export function rpcOfReplyKey(key: string): string {
  return /^\w*/.exec(key)?.[0] ?? "";
}

/** Returns the key in `replyExpiries`: byte order is the time of expiry, then the reply's key. */
export function expiryKey(expireMs: number, key: string): string {
  return `${sortable(expireMs, timeDigits)}\0${key}`;
}

/** Returns the time of expiry in a key of `expiryKey`. */
export function timeOfExpiryKey(key: string): number {
  return Number.parseInt(key.slice(0, timeDigits), 16);
}

/** Returns the key in `blockVersions`: byte order is the order of a block's versions. */
export function blockVersionKey(label: string, version: number): string {
  return blockVersionPrefix(label) + sortable(version, versionDigits);
}

/**
 * Returns the prefix that the keys of a block's versions share. No other key has it. The prefix is
 * the length of the label, in bytes of UTF-8, and the label.
 */
export function blockVersionPrefix(label: string): string {
  return sortable(Buffer.byteLength(label), lengthDigits) + label;
}

/** Returns the label in a key of `blockVersionKey`. */
export function labelOfBlockVersionKey(key: string): string {
  return key.slice(lengthDigits, -versionDigits);
}

/** Returns the key in `memoryVersions`: byte order is the order of a memory's versions. */
export function memoryVersionKey(id: string, version: number): string {
  return withLength(id) + sortable(version, versionDigits);
}

/** Returns the key in `keyPositions`: byte order is numeric order. */
export function positionKey(position: number): string {
  return sortable(position, positionDigits);
}

/** Returns the number in a key of `positionKey`. */
export function positionOfKey(key: string): number {
  return Number.parseInt(key, 16);
}

/** Returns the key in `turnsByRequest` or `turnsByTask`: byte order is the order of entry ids. */
export function turnKey(requestOrTaskId: string, entryId: string): string {
  return turnPrefix(requestOrTaskId) + entryId;
}

/**
 * Returns the prefix that the keys of a request's or task's entries share. No other key has it. The
 * prefix is the length of the id, in UTF-16 units, and the id.
 */
export function turnPrefix(requestOrTaskId: string): string {
  return sortable(requestOrTaskId.length, lengthDigits) + requestOrTaskId;
}

/** Returns the key in `toolManifests`: byte order is the tool, then its version. */
export function manifestKey(toolId: string, version: string): string {
  return toolPrefix(toolId) + version;
}

/**
 * Returns the prefix that the keys of a tool's versions share. No other key has it. Two NULs end
 * the id. U+0001 follows each NUL inside the id, so that an id that is a prefix of another id sorts
 * before the other id.
 */
export function toolPrefix(toolId: string): string {
  return `${toolId.replaceAll("\0", "\0\u0001")}\0\0`;
}

/**
 * Returns the key in `proposalsByTarget`: the target, then the proposal's id. In byte order, all
 * proposals about one target are together, and so are all proposals about one agent's memories.
 */
export function proposalByTargetKey({
  id,
  agentId,
  target,
}: {
  readonly id: string;
  readonly agentId: string;
  readonly target: ProposalTarget;
}): string {
  const prefix =
    target.kind === "block"
      ? proposalsOfBlockPrefix(target.label)
      : proposalsOfMemoryPrefix(agentId, target.id);
  return prefix + id;
}

/** Returns the prefix that the keys of proposals about a block share. No other key has it. */
export function proposalsOfBlockPrefix(label: string): string {
  return `b${withLength(label)}`;
}

/** Returns the prefix that the keys of proposals about a memory share. No other key has it. */
export function proposalsOfMemoryPrefix(agentId: string, memoryId: string): string {
  return proposalsOfAgentPrefix(agentId) + withLength(memoryId);
}

/**
 * Returns the prefix that the keys of proposals about an agent's memories share. No other key has
 * it.
 */
export function proposalsOfAgentPrefix(agentId: string): string {
  return `m${withLength(agentId)}`;
}

/** Returns the ids in a key of `proposalByTargetKey` that begins with `agentPrefix`. */
export function idsOfAgentProposalKey(
  agentPrefix: string,
  key: string,
): { readonly memoryId: string; readonly proposalId: string } {
  const from = agentPrefix.length + lengthDigits;
  const to = from + Number.parseInt(key.slice(agentPrefix.length, from), 16);
  return { memoryId: key.slice(from, to), proposalId: key.slice(to) };
}

/**
 * Returns a name with its length in UTF-16 units before it, so that no result is a prefix of
 * another.
 */
function withLength(name: string): string {
  return sortable(name.length, lengthDigits) + name;
}

/** Returns the key in `rejectedEdits`: a digest of the edit and its target. */
export function rejectedEditKey(
  agentId: string,
  target: ProposalTarget,
  { oldString, newString, replaceAll, whole }: Edit,
): string {
  const names = target.kind === "block" ? [target.label] : [agentId, target.id];
  return createHash("sha256")
    .update(JSON.stringify([target.kind, ...names, oldString, newString, whole ?? replaceAll]))
    .digest("hex");
}

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isWithinEdits } from "../../core/text/edits.js";
import { ImportRefusal, type Skipped } from "./import-plan.js";

/** The fields of a memory in exports of mem0. Those of `unused` have nothing to import. */
const used = [
  "id",
  "memory",
  "user_id",
  "agent_id",
  "app_id",
  "run_id",
  "actor_id",
  "role",
  "immutable",
  "created_at",
  "updated_at",
  "expiration_date",
  "categories",
  "metadata",
];
const unused = ["hash", "score", "embedding", "vector", "owner", "organization", "event"];
const known: ReadonlyMap<string, string> = new Map(
  [...used, ...unused].map((key) => [plain(key), key]),
);

/** Names that people and other programs give to fields of mem0. */
const otherNames: Readonly<Record<string, string>> = {
  user: "user_id",
  uid: "user_id",
  userid: "user_id",
  username: "user_id",
  expires: "expiration_date",
  expiresat: "expiration_date",
  expiresdate: "expiration_date",
  expiry: "expiration_date",
  expirydate: "expiration_date",
  expiration: "expiration_date",
  expirationtime: "expiration_date",
  created: "created_at",
  createddate: "created_at",
  createtime: "created_at",
  timestamp: "created_at",
  tags: "categories",
  category: "categories",
  actor: "actor_id",
  author: "actor_id",
  sessionid: "run_id",
  threadid: "run_id",
  text: "memory",
  content: "memory",
  data: "memory",
};

/** Returns a key without what the spellings of programming languages add: `userId`, `user-id`. */
function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/**
 * Returns a memory with the names that mem0's Python client gives to its fields. The JavaScript
 * clients write `userId` for `user_id`.
 *
 * @throws ImportRefusal when the memory has a field in two spellings with different values
 */
export function withUsualKeys(item: JsonObject, name: string): JsonObject {
  const usual: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(item)) {
    const to = known.get(plain(key)) ?? key;
    const other = usual[to];
    if (value === null && other !== undefined) continue;
    if (other !== undefined && other !== null && JSON.stringify(other) !== JSON.stringify(value))
      throw new ImportRefusal(`${name} has two values of "${to}", in two spellings.`);
    usual[to] = value;
  }
  return usual;
}

/**
 * Returns the fields that memories have and an import does not read, each with the number of
 * memories. Names the field that may have been meant.
 *
 * @throws ImportRefusal when such a field may name the user
 */
export function unreadKeys(items: readonly JsonObject[]): readonly Skipped[] {
  const counts = new Map<string, number>();
  for (const item of items)
    for (const [key, value] of Object.entries(item))
      if (!known.has(plain(key)) && value !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([key, count]) => {
    const meant = meantBy(key);
    if (meant === "user_id" && items.some((item) => item["user_id"] === undefined))
      throw new ImportRefusal(
        `its memories have no "user_id", but "${key}" in ${count} of them, which may be meant. ` +
          'Rename the field to "user_id".',
      );
    const hint = meant === undefined ? "" : `; if it is ${meant}, rename it`;
    return { name: `"${key}" of ${count}`, reason: `a field that mem0 does not write${hint}` };
  });
}

/**
 * Refuses memories of several users whose names are in their metadata alone: they would become the
 * memories of one user.
 *
 * @throws ImportRefusal
 */
export function requireNoUsersInMetadata(items: readonly JsonObject[]): void {
  const users = new Map<string, Set<string>>();
  for (const { user_id: user = null, metadata } of items) {
    if (user !== null || typeof metadata !== "object" || metadata === null) continue;
    for (const [key, value] of Object.entries(metadata)) {
      if ((known.get(plain(key)) ?? meantBy(key)) !== "user_id") continue;
      users.set(key, (users.get(key) ?? new Set()).add(JSON.stringify(value)));
    }
  }
  for (const [key, { size }] of users)
    if (size > 1)
      throw new ImportRefusal(
        `its memories have no "user_id", but ${size} values of "${key}" in their metadata, which ` +
          'may be meant. Move the field out of the metadata, and name it "user_id".',
      );
}

/** Returns the field that a key may stand for, by another usual name or with two other letters. */
function meantBy(key: string): string | undefined {
  const text = plain(key);
  const named = otherNames[text];
  if (named !== undefined) return named;
  return used.find((field) => field.length > 5 && isWithinEdits(text, plain(field), 2));
}

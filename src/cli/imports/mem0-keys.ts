import type { JsonObject } from "@bufbuild/protobuf";
import { isObject } from "./export-values.js";
import { FieldNames } from "./field-names.js";
import { ImportRefusal, type Skipped } from "./import-plan.js";

/** The fields of a memory in exports of mem0. */
export const mem0Names = new FieldNames({
  system: "mem0",
  used: [
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
  ],
  unused: ["hash", "score", "embedding", "vector", "owner", "organization", "event"],
  otherNames: {
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
  },
});

/**
 * Fields that mem0 itself leaves in the metadata of a memory. Its client of one language returns
 * all entries of a stored memory there that the client of the other language has spelled.
 */
const fieldsInMetadata = [
  "user_id",
  "agent_id",
  "app_id",
  "run_id",
  "actor_id",
  "created_at",
  "updated_at",
  "expiration_date",
];

/**
 * Returns a memory with the names that mem0's Python client gives to its fields, and with the
 * fields that it has in its metadata. The JavaScript clients write `userId` for `user_id`.
 *
 * @throws ImportRefusal when the memory has a field in two spellings with different values, or
 *   another user in its metadata
 */
export function mem0Fields(
  item: JsonObject,
  name: string,
  metadataOf: (item: JsonObject) => JsonObject,
  onUnread: (reason: string) => void,
): JsonObject {
  const usual = mem0Names.usual(item, name);
  return mem0Names.withMetadata(usual, metadataOf(usual), fieldsInMetadata, (field) => {
    if (field === "user_id")
      throw new ImportRefusal(
        `${name} has another "user_id" in its metadata. Remove the one that is not its user.`,
      );
    onUnread(`another ${field} in the metadata, which stays there`);
  });
}

/**
 * Returns the fields that memories have and an import does not read. `metadata` is that of the
 * memories.
 *
 * @throws ImportRefusal when such a field may name the user
 */
export function unreadKeys(
  items: readonly JsonObject[],
  metadata: readonly JsonObject[],
): readonly Skipped[] {
  requireNoOtherUsers(items, metadata);
  return [
    ...mem0Names.unread(items),
    ...mem0Names.nearlyIn(metadata, ["created_at", "expiration_date"]),
  ];
}

function requireNoOtherUsers(items: readonly JsonObject[], metadata: readonly JsonObject[]): void {
  const without = items.filter(({ user_id: user = null }) => user === null);
  const [key] = without.flatMap((item) => Object.keys(item).filter(mayNameUser));
  if (key !== undefined)
    throw new ImportRefusal(
      `its memories have no "user_id", but "${key}" in ` +
        `${without.filter((item) => Object.hasOwn(item, key)).length} of them, which may be ` +
        'meant. Rename the field to "user_id".',
    );
  const users = new Map<string, Set<string>>();
  for (const [index, entries] of metadata.entries()) {
    if ((items[index]?.["user_id"] ?? null) !== null || !isObject(entries)) continue;
    for (const [name, value] of Object.entries(entries))
      if (mayNameUser(name))
        users.set(name, (users.get(name) ?? new Set()).add(JSON.stringify(value)));
  }
  for (const [name, { size }] of users)
    if (size > 1)
      throw new ImportRefusal(
        `its memories have no "user_id", but ${size} values of "${name}" in their metadata, which ` +
          'may be meant. Move the field out of the metadata, and name it "user_id".',
      );
}

function mayNameUser(name: string): boolean {
  return mem0Names.known(name) === undefined && mem0Names.meantBy(name) === "user_id";
}

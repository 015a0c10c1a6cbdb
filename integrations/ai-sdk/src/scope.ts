import type { Client } from "vademecum-client";

/** The owner of memories: a user and an agent. */
export interface Scope {
  /** The connection to the server: `connect(address)`. The caller closes it. */
  readonly client: Client;
  /** The id of the person whom the memories are about, 1 to 256 bytes. */
  readonly userId: string;
  /** The id of the agent that keeps the memories, 1 to 256 bytes. */
  readonly agentId: string;
}

/** One conversation of a user with an agent. */
export interface Conversation extends Scope {
  /** The id of the conversation, 1 to 256 bytes, such as the id of a chat. */
  readonly threadId: string;
}

const meanings = {
  userId: "the id of the person whom the memories are about",
  agentId: "the id of the agent that keeps the memories",
  threadId: "the id of the conversation, such as the id of the chat",
};

/**
 * Checks that a caller has chosen ids, also in JavaScript.
 *
 * @throws TypeError when one of the ids is missing or empty
 */
export function checkIds(ids: Readonly<Partial<Record<keyof typeof meanings, unknown>>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id === "string" && id !== "") continue;
    throw new TypeError(
      `${name} is missing. Set it to ${meanings[name as keyof typeof meanings]}; there is no default.`,
    );
  }
}

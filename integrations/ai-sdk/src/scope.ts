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

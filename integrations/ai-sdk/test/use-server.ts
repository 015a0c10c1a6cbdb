import { connect, type Memories } from "vademecum-client";
import type { Memory } from "vademecum-client/v1/memory_pb.js";
import { afterAll, beforeAll } from "vitest";
import { serveTests, type TestServer } from "../../contract/typescript/index.js";
import type { Conversation } from "../src/index.js";

const { server, newScope } = serveTests({ beforeAll, afterAll, connect });

/** Returns the server for the tests of a file. */
export function useServer(): TestServer {
  return server;
}

/** Returns a conversation of a user that no other test has. */
export function newConversation(threadId = "today"): Conversation {
  return { ...newScope(), threadId };
}

/** Returns the memories of a conversation's user and agent. */
export function memoriesOf({ client, userId, agentId }: Conversation): Memories {
  return client.memories(userId, agentId);
}

/** Returns what is stored for the user and agent of a conversation, oldest first. */
export async function storedIn(conversation: Conversation): Promise<Memory[]> {
  const { memories } = await memoriesOf(conversation).getAll({ limit: 1000 });
  return memories.reverse();
}

/** Returns the texts that are stored for the user and agent of a conversation, oldest first. */
export async function textsIn(conversation: Conversation): Promise<string[]> {
  return (await storedIn(conversation)).map(({ content }) => content);
}

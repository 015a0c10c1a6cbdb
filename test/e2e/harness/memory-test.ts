import { createClient } from "@connectrpc/connect";
import { test as base } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createNamespaceClient, type NamespaceClient } from "./namespace-client.js";
import type { Connection } from "./protocols.js";

/** What a case gets. */
export interface MemoryFixtures {
  /** An empty namespace of a user of its own. */
  readonly memories: NamespaceClient;
  /** Another namespace; `agentId` defaults to the case's, so that a name alone makes another user. */
  readonly namespaceOf: (names: {
    readonly userId?: string;
    readonly agentId?: string;
  }) => NamespaceClient;
}

/** Vitest's `it` for cases of the memory provider: each one gets a namespace that no other case knows. */
export type MemoryTest = ReturnType<typeof memoryTestOver>;

/** `it` over a connection, which is asked for when a case runs. */
export function memoryTestOver(connection: () => Connection) {
  return base.extend<MemoryFixtures>({
    memories: async ({ namespaceOf }, use) => {
      await use(namespaceOf({}));
    },
    namespaceOf: async ({ task }, use) => {
      const provider = createClient(MemoryProvider, connection().transport);
      const own = { userId: `user ${task.id}`, agentId: "agent" };
      // A given name stays apart from those of other cases, too.
      await use(({ userId, agentId }) =>
        createNamespaceClient(provider, {
          ...own,
          ...(userId === undefined ? {} : { userId: `${userId} ${task.id}` }),
          ...(agentId === undefined ? {} : { agentId }),
        }),
      );
    },
  });
}

import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { test as base } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { createNamespaceClient, type NamespaceClient, required } from "./namespace-client.js";
import type { Connection } from "./protocols.js";

/** Fixtures of a case. */
export interface MemoryFixtures {
  /** An empty namespace of a new user. */
  readonly memories: NamespaceClient;
  /** Another namespace. A name that is not given defaults to the name in `memories`. */
  readonly namespaceOf: (names: {
    readonly userId?: string;
    readonly agentId?: string;
  }) => NamespaceClient;
  /** For clients of other services. */
  readonly transport: Transport;
  /** Calls about the threads of any namespace. */
  readonly threads: Client<typeof ThreadService>;
}

/** Vitest's `it` for cases of the memory provider. Each case gets a new namespace. */
export type MemoryTest = ReturnType<typeof memoryTestOver>;

/** `it` over the connection that `connection` returns when the case runs. */
export function memoryTestOver(connection: () => Connection) {
  return base.extend<MemoryFixtures>({
    memories: async ({ namespaceOf }, use) => {
      await use(namespaceOf({}));
    },
    transport: async ({ task }, use) => {
      await use(required(connection(), `no connection for ${task.name}`).transport);
    },
    threads: async ({ transport }, use) => {
      await use(createClient(ThreadService, transport));
    },
    namespaceOf: async ({ task }, use) => {
      const provider = createClient(MemoryProvider, connection().transport);
      const own = { userId: `user ${task.id}`, agentId: "agent" };
      // A user id that a case gives gets a suffix, so that cases do not share users.
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

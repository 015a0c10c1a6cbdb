import { afterAll } from "vitest";
import { required } from "./namespace-client.js";
import type { Connection, Protocol, ServerUrls } from "./protocols.js";

/**
 * Returns a function that connects the running case to a server. The cases of a block share one
 * connection for each protocol, which closes with the block.
 */
export function useConnection(
  protocol: () => Protocol,
  server: () => ServerUrls | undefined,
): () => Connection {
  const opened = new Map<Protocol, Connection>();
  afterAll(() => {
    for (const connection of opened.values()) connection.close();
  });
  return () => {
    const used = protocol();
    const connection =
      opened.get(used) ?? used.connect(required(server(), "the server is not running"));
    opened.set(used, connection);
    return connection;
  };
}

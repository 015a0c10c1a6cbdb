import { TestServer } from "./test-server.js";

/** What a test file gets from its test runner and from the client. */
export interface ServeOptions<Client extends { close(): void }> {
  readonly beforeAll: (run: () => Promise<void>) => unknown;
  readonly afterAll: (run: () => Promise<void>) => unknown;
  readonly connect: (address: string) => Client;
}

/** A server for the tests of a file. */
export interface Served<Client> {
  readonly server: TestServer;
  /** Returns the ids of a user that no other test of the file has, and the client. */
  readonly newScope: () => {
    readonly client: Client;
    readonly userId: string;
    readonly agentId: string;
  };
}

/** Runs a server, and connects a client, for the tests of a file. */
export function serveTests<Client extends { close(): void }>({
  beforeAll,
  afterAll,
  connect,
}: ServeOptions<Client>): Served<Client> {
  const server = new TestServer();
  let client: Client | undefined;
  let users = 0;
  beforeAll(async () => {
    await server.start();
    client = connect(server.address);
  });
  afterAll(async () => {
    client?.close();
    await server.remove();
  });
  return {
    server,
    newScope() {
      if (client === undefined) throw new Error("the server has not started yet");
      return { client, userId: `user-${++users}`, agentId: "guide" };
    },
  };
}

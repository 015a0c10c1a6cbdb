import { afterAll, test as base, beforeAll } from "vitest";
import { describeOver } from "../../over-protocols.js";
import { required } from "./namespace-client.js";
import { type Connection, protocols } from "./protocols.js";
import { startTestServer, type TestServer } from "./test-server.js";
import { createUserClient, type UserClient } from "./user-client.js";

/** Fixtures of a case. */
export interface UserFixtures {
  /** A new user, and an agent of that user. */
  readonly user: UserClient;
  /** A client over another connection. Default: of the same user and the same agent. */
  readonly another: (names?: { readonly userId?: string; readonly agentId?: string }) => UserClient;
}

/** Vitest's `it` for cases about users. Each case gets a new user. */
export type UserTest = ReturnType<typeof userTestOver>;

/** Runs cases over several protocols, against one server on LevelDB. */
export function describeUsers(cases: (it: UserTest) => void): void {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server?.stop());
  describeOver("a user", protocols, (protocol) => {
    const opened: Connection[] = [];
    afterAll(() => {
      for (const connection of opened) connection.close();
    });
    cases(
      userTestOver(() => {
        const connection = protocol().connect(required(server, "the server is not running"));
        opened.push(connection);
        return connection;
      }),
    );
  });
}

function userTestOver(connect: () => Connection) {
  return base.extend<UserFixtures>({
    user: async ({ another }, use) => {
      await use(another());
    },
    another: async ({ task }, use) => {
      await use(({ userId = "user", agentId = "agent" } = {}) =>
        createUserClient(connect(), { userId: `${userId} ${task.id}`, agentId }),
      );
    },
  });
}

import { type Connection, nativeGrpc } from "../../e2e/harness/protocols.js";
import { createRunClient, type RunClient } from "../../e2e/harness/run-client.js";
import { createSkillClient, type SkillClient } from "../../e2e/harness/skill-client.js";
import { createUserClient, type UserClient } from "../../e2e/harness/user-client.js";
import { type ServerProcess, startServerProcess } from "../server/server-process.js";
import type { Tally } from "../tally.js";
import { agentCount, at, userOf } from "./model.js";

/** Names that are easily confused by code that joins or normalizes names. */
const userNames = ["u", "u/a", "u\u0308"];
const agentNames = ["a", "/a"];
const runNames = ["r", "r/"];

/** A real server, and clients of users that no earlier run has used. */
export interface Real {
  readonly tally: Tally;
  /** Returns a word that no earlier text contains. */
  word(): string;
  user(namespace: number): UserClient;
  skills(namespace: number): SkillClient;
  run(run: number): RunClient;
  /** Ends the server with the signal, and starts it again on the same folder. */
  restart(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** A server process that many runs share. */
export interface SharedServer extends AsyncDisposable {
  /** Returns the server for users whose names end in `suffix`. */
  forRun(suffix: string): Real;
}

/** Starts a server for the runs of a model. */
export async function startSharedServer(dataFolder: string, tally: Tally): Promise<SharedServer> {
  let server: ServerProcess = await startServerProcess(dataFolder);
  let connection: Connection = nativeGrpc.connect(server);
  let words = 0;
  return {
    forRun(suffix) {
      const namespaceOf = (namespace: number) => ({
        userId: `${at(userNames, userOf(namespace))} ${suffix}`,
        agentId: at(agentNames, namespace % agentCount),
      });
      return {
        tally,
        word: () => `w${++words}x`,
        user: (namespace) => createUserClient(connection, namespaceOf(namespace)),
        skills: (namespace) => createSkillClient(connection, namespaceOf(namespace)),
        run: (run) => createRunClient(connection, `${at(runNames, run)} ${suffix}`),
        async restart(signal) {
          connection.close();
          const exitCode = await server.end(signal);
          if (signal === "SIGTERM" && exitCode !== 0)
            tally.harm("wrong process state", `SIGTERM: exit code ${exitCode}`);
          tally.count(signal === "SIGTERM" ? "restarts" : "kills");
          server = await startServerProcess(dataFolder);
          connection = nativeGrpc.connect(server);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await server.end("SIGKILL");
    },
  };
}

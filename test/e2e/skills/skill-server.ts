import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { readConfig } from "../../../src/config/config.js";
import { formatAddress } from "../../../src/edge/address.js";
import { startServer } from "../../../src/server/start-server.js";
import { createManualTimer, type ManualTimer } from "../../server/manual-timer.js";
import { nativeGrpc, type Protocol } from "../harness/protocols.js";
import { createSkillClient, type SkillClient } from "../harness/skill-client.js";
import { storeFlags } from "../harness/store-flags.js";

export const namespace = { userId: "ada", agentId: "coder" };

/** A server in this process, with a clock that the test sets. */
export interface SkillServer {
  readonly skills: SkillClient;
  readonly admin: ReturnType<typeof createClient<typeof AdminService>>;
  readonly timer: ManualTimer;
  /** Lines of the log so far. */
  readonly logged: readonly Record<string, unknown>[];
  skillsOver(protocol: Protocol): SkillClient;
  stop(): Promise<void>;
}

/** A data folder for several servers, and their clock. */
export interface SkillWorld {
  /** Milliseconds since 1970. */
  nowMs: number;
  /** Starts a server with `flags` (names without dashes) and `environment`. */
  serve(
    flags?: Readonly<Record<string, string>>,
    environment?: Readonly<Record<string, string>>,
  ): Promise<SkillServer>;
  /** Stops the servers and deletes the folder. */
  end(): Promise<void>;
}

export async function createSkillWorld(): Promise<SkillWorld> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-skills-"));
  const running = new Set<SkillServer>();
  const world: SkillWorld = {
    nowMs: Date.UTC(2026, 0, 1),
    async serve(flags = {}, environment = {}) {
      const given = {
        data: join(folder, "data"),
        grpc: "127.0.0.1:0",
        http: "127.0.0.1:0",
        "log-level": "info",
        ...flags,
      };
      const timer = createManualTimer();
      const logged: Record<string, unknown>[] = [];
      const output = new Writable({
        write(chunk: Buffer, _encoding, done) {
          for (const line of chunk.toString().trim().split("\n"))
            logged.push(JSON.parse(line) as Record<string, unknown>);
          done();
        },
      });
      const time = { clock: { nowMs: () => world.nowMs }, timer };
      const server = await startServer(
        readConfig(new Map(Object.entries(await storeFlags(given))), environment),
        output,
        time,
      );
      const urls = {
        grpcUrl: `http://${formatAddress(server.grpcAddress)}`,
        httpUrl: `http://${formatAddress(server.httpAddress)}`,
      };
      const connections = new Set<{ close(): void }>();
      const connect = (protocol: Protocol) => {
        const connection = protocol.connect(urls);
        connections.add(connection);
        return connection;
      };
      const connection = connect(nativeGrpc);
      const opened: SkillServer = {
        skills: createSkillClient(connection, namespace),
        admin: createClient(AdminService, connection.transport),
        timer,
        logged,
        skillsOver: (protocol) => createSkillClient(connect(protocol), namespace),
        async stop() {
          running.delete(opened);
          for (const used of connections) used.close();
          await server.stop();
        },
      };
      running.add(opened);
      return opened;
    },
    async end() {
      for (const server of running) await server.stop();
      await rm(folder, { recursive: true });
    },
  };
  return world;
}

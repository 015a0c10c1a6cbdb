import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { connectionSettings } from "../../config/client-settings.js";
import { readConfig, readSettings } from "../../config/config.js";
import { createApiKey } from "../../credentials/api-key.js";
import { formatCredentials } from "../../credentials/credentials.js";
import { formatAddress } from "../../edge/address.js";
import { type Connection, openConnection } from "../connection.js";
import { conversations } from "./demo-conversations.js";
import { type ConnectionOf, type DemoEvent, type Player, players } from "./demo-event.js";
import { facts } from "./demo-memories.js";
import { edits } from "./demo-proposals.js";
import { toolUse } from "./demo-tools.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Fills an empty folder with the example world: two users, three agents, two months of
 * conversations. Every record is made by a call, of a caller with a key of its own, on a server
 * whose clock goes through these months.
 *
 * @param nowMs the present of the world, in milliseconds since 1970
 * @throws VademecumError when the folder cannot be used
 */
export async function fillDemoFolder(
  data: string,
  nowMs: number,
  logOutput: Writable,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-demo-"));
  try {
    const keys = new Map(Object.keys(players).map((name) => [name, createApiKey()]));
    const credentials = join(folder, "credentials.json");
    await writeFile(credentials, credentialsOf(keys, nowMs), { mode: 0o600 });
    const any = "127.0.0.1:0";
    const flags = { data, credentials, grpc: any, http: any, pruning: "off", audit: "off" };
    const config = readConfig(new Map(Object.entries({ ...flags, "log-level": "warn" })), {});
    const { startServer, systemTime } = await import("../../server/start-server.js");
    const clock = createStepClock(nowMs - 62 * dayMs);
    const server = await startServer(config, logOutput, { clock, timer: systemTime.timer });
    const connections = connectAll(formatAddress(server.grpcAddress), keys);
    try {
      await live(connections.of, (daysAgo) => clock.set(timeOf(daysAgo, nowMs)));
    } finally {
      connections.close();
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets everything happen in its order. */
async function live(as: ConnectionOf, goTo: (daysAgo: number) => void): Promise<void> {
  const events: readonly DemoEvent[] = [...conversations, ...facts, ...edits, ...toolUse];
  for (const { daysAgo, happen } of events.toSorted((one, other) => other.daysAgo - one.daysAgo)) {
    goTo(daysAgo);
    await happen(as);
  }
}

/**
 * Returns the time of an event. The days before the last ones go from 8 to 21 o'clock, because
 * nobody has lessons at night.
 */
function timeOf(daysAgo: number, nowMs: number): number {
  if (daysAgo < 2) return nowMs - daysAgo * dayMs;
  const day = Math.floor(daysAgo);
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs - day * dayMs;
  return midnightMs + (21 - (daysAgo - day) * 13) * hourMs;
}

/** A clock that stands still until it is set, and never goes back. */
function createStepClock(startMs: number) {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    set: (ms: number) => {
      nowMs = Math.max(nowMs + 1, Math.round(ms));
    },
  };
}

type Keys = ReadonlyMap<string, ReturnType<typeof createApiKey>>;

function credentialsOf(keys: Keys, nowMs: number): string {
  const any = ["*"];
  const create_time = new Date(nowMs - 100 * dayMs).toISOString();
  const principals = Object.entries(players).map(([name, { roles }]) => {
    const { id = "", secretSha256 } = keys.get(name) ?? {};
    const key = { id, sha256: secretSha256?.toString("hex") ?? "", create_time };
    return { name, roles: [...roles], users: any, agents: any, runs: any, tools: any, keys: [key] };
  });
  return formatCredentials({ principals });
}

function connectAll(address: string, keys: Keys) {
  const connections = new Map<string, Connection>();
  const of = (player: Player): Connection => {
    const open =
      connections.get(player) ??
      openConnection({
        ...readSettings(connectionSettings, new Map([["server", address]]), {}),
        apiKey: keys.get(player)?.text,
      });
    connections.set(player, open);
    return open;
  };
  return {
    of,
    close: () => {
      for (const connection of connections.values()) connection.close();
    },
  };
}

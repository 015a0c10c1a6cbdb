import type { Writable } from "node:stream";
import type { Logger } from "pino";
import type { Config } from "../config/server-settings.js";
import { parseAddress } from "../config/setting-values.js";
import { namespaceSizes } from "../core/model/namespace-size.js";
import { utc } from "../core/model/time-zone.js";
import { ServerMonitor } from "../core/monitor/server-monitor.js";
import type { Embedders } from "../core/ports/embedder.js";
import { noMeter } from "../core/ports/meter.js";
import type { TokenCounter } from "../core/ports/token-counter.js";
import { startRpcServer } from "../rpc/rpc-server.js";
import { systemClock } from "../system/clock.js";
import { createLogger } from "../system/logger.js";
import { systemTimer } from "../system/timer.js";
import { createTokenCounter } from "../tokens/o200k-token-counter.js";
import { monitorServer } from "./monitored-server.js";
import { openDomains } from "./open-domains.js";
import { openEmbedders } from "./open-embedders.js";
import { openStore } from "./open-store.js";
import { partLog } from "./part-log.js";
import type { RunningServer } from "./start-server.js";
import {
  createTestingStores,
  type TestingStore,
  type TestingStoresParts,
} from "./testing-stores.js";

/** Limits of the stores of a server for tests. */
export type TestingLimits = Pick<TestingStoresParts, "storesMax" | "storeBytes">;

/**
 * Starts a server for tests of programs: each bearer token has a store of its own in RAM, which is
 * empty at the first call with this token. Calls without a token are refused.
 *
 * @param config the addresses, the embedder and the log. The provider must be `memory`
 * @param logOutput receives the lines of the log
 * @throws VademecumError when a model, an endpoint or an address cannot be used
 */
export async function startTestingServer(
  config: Config,
  limits: TestingLimits,
  logOutput: Writable,
): Promise<RunningServer> {
  const log = createLogger(config.logLevel, logOutput);
  const tokens = await createTokenCounter();
  const embedding = await openEmbedders(config, partLog(log), noMeter);
  const { embedders } = embedding;
  const monitor = new ServerMonitor(() => systemClock.nowMs());
  const parts = { config, embedders, tokens, log, monitor };
  const open = (tenant: string) => openTestingStore(tenant, parts);
  // Answers nobody; the listeners learn the methods from it.
  const base = await open("");
  const stores = createTestingStores({ open, ...limits });
  const close = async (): Promise<void> => {
    await stores.close();
    await base.close();
    await embedding.close();
  };
  const rpc = await startRpcServer({
    domainOf: (tenant) => (tenant === "" ? base.domain : stores.domainOf(tenant)),
    grpc: config.grpcAddress,
    http: config.httpAddress,
    httpAllowedOrigins: config.httpAllowedOrigins,
    authenticator: stores,
    moveTargets: undefined,
    slowCallMs: config.slowCallMs,
    ...{ timer: systemTimer, log },
    ...monitor.before({ observe: () => undefined, meter: noMeter }),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    grpcAddress: parseAddress(rpc.grpcAddress),
    httpAddress: parseAddress(rpc.httpAddress),
    metricsAddress: undefined,
    log,
    refreshTrust: async () => undefined,
    async stop() {
      await rpc.stop(config.drainTimeoutMs);
      await close();
    },
  };
}

interface StoreParts {
  readonly config: Config;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly log: Logger;
  readonly monitor: ServerMonitor;
}

async function openTestingStore(
  tenant: string,
  { config, embedders, tokens, log, monitor }: StoreParts,
): Promise<TestingStore> {
  const availability = { set: () => undefined, setWrites: () => undefined };
  const meter = noMeter;
  const parts = { clock: systemClock, isMachineClock: true, availability, meter };
  const opened = await openStore(config, { ...parts, log: partLog(log) });
  const clock = systemClock;
  const { format } = opened;
  const facts = { config, embedders, clock, format, hasCredentials: true };
  const server = monitorServer({
    ...facts,
    monitor,
    writes: () => "ok",
    openCalls: () => 0,
    webhooks: undefined,
  });
  const domains = await openDomains({
    ...{ config, ...opened, embedders, tokens, log, meter, sizes: namespaceSizes },
    ...{ clock, timer: systemTimer, timeZone: utc, server, images: undefined, webhooks: undefined },
    pruningGate: { refusal: () => undefined, confirm: () => undefined },
  });
  return {
    domain: domains.domainOf(tenant),
    async close() {
      domains.stop();
      await opened.store.close();
      await domains.close();
    },
  };
}

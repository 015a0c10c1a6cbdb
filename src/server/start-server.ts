import type { Writable } from "node:stream";
import type { Logger } from "pino";
import { ConfigError } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { parseAddress } from "../config/setting-values.js";
import { errorText, VademecumError } from "../core/model/errors.js";
import { type NamespaceSizes, namespaceSizes } from "../core/model/namespace-size.js";
import { findTimeZone, type TimeZone, timeZoneForm } from "../core/model/time-zone.js";
import { ServerMonitor } from "../core/monitor/server-monitor.js";
import type { Clock } from "../core/ports/clock.js";
import type { Timer } from "../core/ports/timer.js";
import type { WritesState } from "../core/ports/writes-state.js";
import type { PruningGate } from "../core/pruning/pruning-gate.js";
import type { Address } from "../edge/address.js";
import { productVersion } from "../edge/version.js";
import type { ImageFiles } from "../index/image/image-files.js";
import { type RpcServer, type RpcServerOptions, startRpcServer } from "../rpc/rpc-server.js";
import { systemClock } from "../system/clock.js";
import { createClockTrust } from "../system/clock-trust.js";
import { createExpiryClock, type ExpiryClock } from "../system/expiry-clock.js";
import { createLogger } from "../system/logger.js";
import { createSteadyClock, readRegularly } from "../system/steady-clock.js";
import { systemTimer } from "../system/timer.js";
import { createTokenCounter } from "../tokens/o200k-token-counter.js";
import { keepJumpIn, keepNoJump } from "./jump-file.js";
import { startMaintenanceTasks } from "./maintenance-tasks.js";
import { type DataMeasurement, measureData } from "./measure-data.js";
import { monitorServer, type StartingServer } from "./monitored-server.js";
import type { OpenAudit, openAudit } from "./open-audit.js";
import { readConsoleFiles } from "./open-console.js";
import { type DomainsHandle, openDomains } from "./open-domains.js";
import { openEmbedders } from "./open-embedders.js";
import { createImages, sweepImages } from "./open-images.js";
import { type MetricsHandle, openMetrics } from "./open-metrics.js";
import {
  type Availability,
  type OpenStore,
  openStore,
  type StoreDependencies,
} from "./open-store.js";
import { openTracer } from "./open-tracer.js";
import { openTrail, trailUses } from "./open-trail.js";
import { openTrust, type TrustHandle } from "./open-trust.js";
import { openWebhooks } from "./open-webhooks.js";
import { partLog } from "./part-log.js";
import { settleClock } from "./settle-clock.js";

/** A server that accepts calls. */
export interface RunningServer {
  /** The address of native gRPC, with the real port. */
  readonly grpcAddress: Address;
  /** The address of Connect, gRPC-Web and JSON, with the real port. */
  readonly httpAddress: Address;
  /** The address of the metrics, with the real port. Absent: the server has no metrics. */
  readonly metricsAddress: Address | undefined;
  readonly log: Logger;
  /** Reads the credentials and certificates again if their files have changed. */
  refreshTrust(): Promise<void>;
  /**
   * Reports NOT_SERVING, lets calls in flight finish within the drain timeout, then closes the
   * store and the embedders.
   */
  stop(): Promise<void>;
}

/** The clocks and the timer of a server. */
export interface TimeSource {
  readonly clock: Clock;
  /** Milliseconds of a clock that never jumps. Absent: `clock` itself never jumps. */
  readonly monotonicMs?: () => number;
  /**
   * Whether `clock` is the machine's. A store that several servers share then compares it with the
   * clock of the database, which sets the times of commits. Default: false.
   */
  readonly isMachineClock?: boolean;
  readonly timer: Timer;
}

/** The time of the machine. */
export const systemTime: TimeSource = {
  clock: systemClock,
  monotonicMs: () => performance.now(),
  isMachineClock: true,
  timer: systemTimer,
};

/** Returns the time of a server whose clock stands still, for repeatable outcomes. */
export function stillTime(nowMs: number): TimeSource {
  return { clock: { nowMs: () => nowMs }, timer: systemTimer };
}

/**
 * Starts a server and resolves when it accepts calls.
 *
 * @param logOutput receives the lines of the log
 * @param sizes limits on the number of memories in a namespace
 * @throws ConfigError when a file of the settings cannot be used, such as the TLS certificate
 * @throws VademecumError when the data folder, a model, an endpoint or an address cannot be used
 */
export async function startServer(
  config: Config,
  logOutput: Writable = process.stderr,
  time: TimeSource = systemTime,
  sizes: NamespaceSizes = namespaceSizes,
): Promise<RunningServer> {
  const log = createLogger(config.logLevel, logOutput);
  const { clock, monotonicMs = () => 0, timer } = time;
  const expiryClock = createExpiryClock(clock, monotonicMs);
  const timeZone = findTimeZone(config.timeZone);
  if (timeZone === undefined)
    throw new ConfigError([`--time-zone: '${config.timeZone}' must be ${timeZoneForm}`]);
  const monitor = new ServerMonitor(() => clock.nowMs());
  const opened = await openMetrics(config);
  const metrics = { ...opened, ...monitor.before(opened) };
  let trust: TrustHandle | undefined;
  try {
    const { meter } = metrics;
    trust = await openTrust(config, { clock: expiryClock, timer, log, meter });
    const parts = { config, log, time, expiryClock, timeZone, sizes, metrics, monitor };
    return await startTrusting(trust, parts);
  } catch (error) {
    trust?.stop();
    await metrics.close();
    throw error;
  }
}

interface StartParts {
  readonly config: Config;
  readonly log: Logger;
  readonly time: TimeSource;
  /** The clock by which credentials expire. */
  readonly expiryClock: ExpiryClock;
  readonly timeZone: TimeZone;
  readonly sizes: NamespaceSizes;
  readonly metrics: MetricsHandle;
  readonly monitor: ServerMonitor;
}

/**
 * Starts a server as `startServer` does, with credentials and certificates that are already open.
 * If the start fails, the caller must close them.
 */
async function startTrusting(trust: TrustHandle, parts: StartParts): Promise<RunningServer> {
  const closers: Closer[] = [];
  try {
    return await openAndListen(trust, parts, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Closes a part of the server. Requires: all parts that were opened later are closed. */
type Closer = () => Promise<void>;

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

/** @param closers receives a function for each part that has been opened, in this order */
async function openAndListen(
  trust: TrustHandle,
  { config, log, time, expiryClock, timeZone, sizes, metrics, monitor }: StartParts,
  closers: Closer[],
): Promise<RunningServer> {
  const { timer } = time;
  const { meter, observe } = metrics;
  const tokens = await createTokenCounter();
  const embedding = await openEmbedders(config, partLog(log), meter);
  closers.push(() => embedding.close());
  const availability = createServingState();
  const { clock: machine, isMachineClock = false } = time;
  const storeParts = { clock: machine, isMachineClock, log: partLog(log), availability, meter };
  const { opened, images } = await openStoreAndImages(config, storeParts, closers);
  // No server removes by a clock that is ahead what the other servers still return.
  const shared = { nowMs: () => machine.nowMs() - (opened.store.clockAheadMs ?? 0) };
  const latestMs = await latestTimeOf(opened, { ...time, clock: shared }, config, log);
  expiryClock.noteCommit(latestMs);
  const { clock, pruningGate } = clocksOf({ ...time, clock: shared }, latestMs, config, log);
  const hasCredentials = trust.options.authenticator !== undefined;
  const observers = { clock, timer, log: partLog(log), meter };
  const audit = await openTrail(config, hasCredentials, observers, closers);
  const { embedders } = embedding;
  const webhooks = await openWebhooks(config, { ...observers, ...opened }, closers);
  const facts = { config, clock, hasCredentials, embedders, webhooks, format: opened.format };
  const server = monitorServer({ ...facts, ...availability, monitor });
  const domains = await openDomains({
    ...{ config, ...opened, embedders, tokens, clock, timer, timeZone },
    ...{ sizes, log, meter, pruningGate, server, webhooks, ...trailUses(audit?.trail) },
    images: images && { files: images, timer, closingMs: config.drainTimeoutMs },
  });
  closers.push(() => domains.close());
  await domains.resumeErasures();
  const recorded = await openObservers(config, audit, domains, observers, closers);
  const rpc = await startRpcServer({
    domainOf: (tenant) => domains.domainOf(tenant),
    ...rpcSettings(config),
    ...trust.options,
    ...{ timer, log, observe, meter, ...recorded },
  }).catch((error: unknown) => {
    throw listenError(error);
  });
  availability.connect(rpc);
  showFigures(metrics, rpc, domains, { server, clock, timer, meter, log }, closers);
  const stopReading = readRegularlyIfSteady(time, clock);
  const maintenance = config.pruning
    ? startMaintenanceTasks({ pruner: domains.pruner, timer, log })
    : undefined;
  const addresses = { grpc: rpc.grpcAddress, http: rpc.httpAddress };
  log.info({ version: productVersion(), ...addresses, provider: config.provider }, "serving");
  return {
    grpcAddress: parseAddress(rpc.grpcAddress),
    httpAddress: parseAddress(rpc.httpAddress),
    metricsAddress: metrics.address,
    log,
    refreshTrust: () => trust.refresh(),
    stop: async () => {
      await announceStop(rpc, config, timer);
      stopReading();
      trust.stop();
      maintenance?.stop();
      domains.stop();
      await rpc.stop(config.drainTimeoutMs);
      await maintenance?.idle();
      await closeAll(closers);
      await metrics.close();
      log.info("stopped");
    },
  };
}

/** Reports NOT_SERVING, and gives load balancers the time to notice. */
async function announceStop(
  rpc: RpcServer,
  { drainDelayMs }: Config,
  timer: TimeSource["timer"],
): Promise<void> {
  rpc.announceStop();
  if (drainDelayMs > 0) await new Promise<void>((resolve) => timer.after(drainDelayMs, resolve));
}

/** Opens the audit trail and the tracer that the configuration asks for. */
async function openObservers(
  config: Config,
  audit: OpenAudit | undefined,
  domains: DomainsHandle,
  parts: Parameters<typeof openAudit>[2],
  closers: Closer[],
): Promise<Pick<RpcServerOptions, "audit" | "tracer">> {
  const storeId = () => domains.domainOf("").backups.storeId();
  const traces = await openTracer(config, { ...parts, storeId });
  closers.push(() => traces.close());
  return { audit, tracer: traces.tracer };
}

/** Lets the metrics show what nobody reports. Does nothing without metrics. */
function showFigures(
  metrics: MetricsHandle,
  rpc: RpcServer,
  domains: DomainsHandle,
  {
    server: { gauges, jobs, facts },
    log,
    ...parts
  }: Pick<DataMeasurement, "clock" | "timer" | "meter"> & {
    readonly server: StartingServer;
    readonly log: Logger;
  },
  closers: Closer[],
): void {
  if (metrics.address === undefined) return;
  metrics.showLoad(() => ({ ...rpc.load(), indexBytes: domains.indexBytes() }));
  const measuring = measureData({
    ...parts,
    log: partLog(log),
    dataBytes: () => gauges.dataBytes(),
    lastBackupMs: (tenants) => jobs.oldestDoneMs("BACKUP", tenants) ?? facts.startMs,
    countProposals: (call) => domains.countProposals(call),
  });
  closers.push(() => measuring.stop());
}

/** Returns the latest time of the data. A steady clock starts only if it does not contradict it. */
async function latestTimeOf(
  opened: OpenStore,
  time: TimeSource,
  { acceptClock }: Config,
  log: Logger,
): Promise<number> {
  if (time.monotonicMs === undefined) return opened.store.openedAtMs;
  return settleClock({ ...opened, ...time, acceptClock, log: partLog(log) });
}

/** Opens the store, and the images of its indexes, without images that may hold deleted texts. */
async function openStoreAndImages(
  config: Config,
  parts: StoreDependencies,
  closers: Closer[],
): Promise<{ readonly opened: OpenStore; readonly images: ImageFiles | undefined }> {
  const images = createImages(config, parts.log);
  const beforeRemovals = images?.beforeRemovals.bind(images);
  const opened = await openStore(config, { ...parts, beforeRemovals });
  closers.push(() => opened.store.close());
  await sweepImages(images, config, opened.store);
  return { opened, images };
}

/**
 * Reads the clock regularly if it is a steady clock. Returns a function that stops the readings.
 */
function readRegularlyIfSteady({ monotonicMs, timer }: TimeSource, clock: Clock): () => void {
  return monotonicMs === undefined ? () => undefined : readRegularly(clock, timer);
}

/** Returns the options of the listeners that the configuration alone decides. */
function rpcSettings(config: Config): Omit<RpcServerOptions, "domainOf" | "timer" | "log"> {
  return {
    grpc: config.grpcAddress,
    http: config.httpAddress,
    httpAllowedOrigins: config.httpAllowedOrigins,
    httpAllowedHosts: config.httpAllowedHosts,
    consoleFiles: config.servesConsole ? readConsoleFiles() : undefined,
    trafficLimits: {
      connections: config.maxConnections,
      connectionsPerAddress: config.maxConnectionsPerAddress,
      callBytes: config.messageBufferBytes,
      forwarders: new Set(config.forwarders),
    },
    guardRules: config.guard,
    moveTargets: config.onMoved === "refuse" ? undefined : config.moveTargets,
    quota: { memories: config.quotaMemories, bytes: config.quotaBytes },
    slowCallMs: config.slowCallMs,
  };
}

/** Returns the server's clock, and whether records may be pruned by it. */
function clocksOf(
  { clock: machine, monotonicMs }: TimeSource,
  latestMs: number,
  config: Config,
  log: Logger,
): { readonly clock: Clock; readonly pruningGate: PruningGate } {
  if (monotonicMs === undefined) return { clock: machine, pruningGate: openGate };
  const common = { machine, monotonicMs, log: partLog(log) };
  const clock = createSteadyClock({ ...common, latestMs });
  const keeper = config.provider === "memory" ? keepNoJump : keepJumpIn(config.dataFolder);
  const pruningGate = createClockTrust({ ...common, steady: clock, newestMs: latestMs, keeper });
  if (config.acceptClock) pruningGate.confirm();
  return { clock, pruningGate };
}

/** The gate of a clock that never jumps. */
const openGate: PruningGate = { refusal: () => undefined, confirm: () => undefined };

/**
 * Tells health checks whether the store works. Keeps the state until the listeners exist,
 * because the store opens before the listeners.
 */
interface ServingState extends Availability {
  writes(): WritesState | "unavailable";
  openCalls(): number;
  connect(rpc: RpcServer): void;
}

function createServingState(): ServingState {
  let isAvailable = true;
  let writes: WritesState = "ok";
  let listener: RpcServer | undefined;
  return {
    set(available) {
      isAvailable = available;
      listener?.setServing(available);
    },
    setWrites(state) {
      writes = state;
      listener?.setWrites(state);
    },
    writes: () => (isAvailable ? writes : "unavailable"),
    openCalls: () => listener?.load().openCalls ?? 0,
    connect(rpc) {
      listener = rpc;
      rpc.setWrites(writes);
      rpc.setServing(isAvailable);
    },
  };
}

/**
 * Returns the error of a port that could not be opened. Searches the text of `error`, because each
 * listener wraps the system's error in its own way.
 */
function listenError(error: unknown): unknown {
  const [reason] = /\bE[A-Z]+: [^\]]+/.exec(errorText(error)) ?? [];
  if (reason === undefined) return error;
  const message =
    `cannot listen: ${reason}. Stop the process that uses the address, or choose other addresses ` +
    "with --grpc and --http; port 0 takes any free port";
  return new VademecumError("FAILED_PRECONDITION", "CANNOT_LISTEN", message, { cause: error });
}

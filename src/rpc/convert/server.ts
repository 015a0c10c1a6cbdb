import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Status } from "#gen/google/rpc/status_pb.js";
import {
  type GetServerResponse,
  GetServerResponseSchema,
  type Job as JobMessage,
  JobSchema,
  JobKind as ProtoJobKind,
  ServerWrites,
  type SlowCall as SlowCallMessage,
  SlowCallSchema,
  type WatchServerResponse,
  WatchServerResponseSchema,
  WebhookState,
  type WebhookStatusSchema,
} from "#gen/vademecum/v1/server_pb.js";
import type { Job } from "../../core/jobs/jobs.js";
import { instantOfMillis } from "../../core/model/instant.js";
import type { ServerStatus, WatchedSample } from "../../core/monitor/service.js";
import type { SlowCall } from "../../core/monitor/slow-calls.js";
import type { WebhookStatus } from "../../core/webhooks/webhook.js";
import { fromMillis } from "./duration.js";
import { fromInstant } from "./instant.js";

const protoWrites: Readonly<Record<ServerStatus["writes"], ServerWrites>> = {
  ok: ServerWrites.OK,
  disk_full: ServerWrites.DISK_FULL,
  read_only: ServerWrites.READ_ONLY,
  unavailable: ServerWrites.UNAVAILABLE,
};

/** Converts how a server does to its message. */
export function fromServerStatus(
  status: ServerStatus,
  jobs: readonly JobMessage[],
): GetServerResponse {
  const { model, lastMinute, dataBytes, freeBytes, held } = status;
  const { callsPerSecond, failures, p50Ms, p99Ms } = lastMinute;
  return create(GetServerResponseSchema, {
    version: status.version,
    startTime: timeOf(status.startMs),
    time: timeOf(status.nowMs),
    provider: status.provider,
    format: status.format,
    ...(model && { modelId: model.modelId, dimension: model.dimension }),
    credentialsInUse: status.hasCredentials,
    writes: protoWrites[status.writes],
    residentBytes: BigInt(status.residentBytes),
    ...(dataBytes !== undefined && { dataBytes: BigInt(dataBytes) }),
    ...(freeBytes !== undefined && { freeBytes: BigInt(freeBytes) }),
    indexBytes: BigInt(status.indexBytes),
    indexMaxBytes: BigInt(status.indexMaxBytes),
    hotCollections: status.hotCollections,
    lastMinute: {
      ...{ callsPerSecond, failures: BigInt(failures) },
      ...(p50Ms !== undefined && { p50: fromMillis(p50Ms) }),
      ...(p99Ms !== undefined && { p99: fromMillis(p99Ms) }),
    },
    jobs: [...jobs],
    pendingProposals: BigInt(status.pendingProposals),
    users: BigInt(held.users),
    namespaces: BigInt(held.namespaces),
    memories: BigInt(held.memories),
    storedBytes: BigInt(held.bytes),
    lastBackupTime: timeOf(status.lastBackupMs),
    lastPruneTime: timeOf(status.lastPruneMs),
    ...(status.webhook && { webhook: fromWebhook(status.webhook) }),
  });
}

const webhookStates: Readonly<Record<WebhookStatus["state"], WebhookState>> = {
  ok: WebhookState.OK,
  failing: WebhookState.FAILING,
  gone: WebhookState.GONE,
  standby: WebhookState.STANDBY,
};

function fromWebhook(status: WebhookStatus): MessageInitShape<typeof WebhookStatusSchema> {
  return {
    state: webhookStates[status.state],
    pendingUsers: BigInt(status.pendingUsers),
    delivered: BigInt(status.delivered),
    lost: BigInt(status.lost),
    failure: status.failure ?? "",
    failingSince: timeOf(status.failingSinceMs),
  };
}

/** Converts a job to its message. @param error why it failed, as the caller may see it */
export function fromJob(job: Job, error?: Status): JobMessage {
  const { id, kind, namespace, phase, done, total, startMs, endMs, canCancel } = job;
  return create(JobSchema, {
    ...{ id, kind: ProtoJobKind[kind], phase, done: BigInt(done), total: BigInt(total) },
    ...(namespace && { namespace: { userId: namespace.userId, agentId: namespace.agentId } }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    canCancel,
    ...(error && { error }),
  });
}

/** Converts a sample to its message. */
export function fromSample({ sample, methods, isEarlier }: WatchedSample): WatchServerResponse {
  const { dataBytes, freeBytes } = sample;
  return create(WatchServerResponseSchema, {
    earlier: isEarlier,
    sample: {
      time: timeOf(sample.timeMs),
      methods: methods.map(({ path, code, calls, durationMs }) => ({
        ...{ method: path.slice(1), code, calls: BigInt(calls) },
        durationSum: fromMillis(durationMs),
      })),
      durationCounts: Array.from(sample.durationCounts, BigInt),
      commits: BigInt(sample.commits),
      syncTime: fromMillis(sample.syncMs),
      loopDelayP99: fromMillis(sample.loopDelayMs),
      residentBytes: BigInt(sample.residentBytes),
      indexBytes: BigInt(sample.indexBytes),
      ...(dataBytes !== undefined && { dataBytes: BigInt(dataBytes) }),
      ...(freeBytes !== undefined && { freeBytes: BigInt(freeBytes) }),
      openCalls: sample.openCalls,
      hotCollections: sample.hotCollections,
    },
  });
}

/** Converts a slow call to its message. */
export function fromSlowCall(call: SlowCall): SlowCallMessage {
  const { path, code, reason = "", userId = "", agentId = "", runId = "", requestId } = call;
  const { durationMs, waitedMs, workedMs } = call;
  const parts = [
    ["queue", waitedMs],
    ["handler", workedMs],
    // Two clocks of one call differ by less than a millisecond.
    ["transfer", Math.max(0, durationMs - waitedMs - workedMs)],
  ] as const;
  return create(SlowCallSchema, {
    time: timeOf(call.endMs),
    ...{ method: path.slice(1), userId, agentId, runId, code, reason, requestId },
    duration: fromMillis(durationMs),
    parts: parts.map(([name, ms]) => ({ name, duration: fromMillis(ms) })),
    rows: BigInt(call.rows),
    requestBytes: BigInt(call.requestBytes),
    replyBytes: BigInt(call.replyBytes),
  });
}

function timeOf(ms: number | undefined) {
  return ms === undefined ? undefined : fromInstant(instantOfMillis(ms));
}

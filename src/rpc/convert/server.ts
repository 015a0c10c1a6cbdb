import { create } from "@bufbuild/protobuf";
import type { Status } from "#gen/google/rpc/status_pb.js";
import {
  type GetServerResponse,
  GetServerResponseSchema,
  type Job as JobMessage,
  JobSchema,
  JobKind as ProtoJobKind,
  ServerWrites,
} from "#gen/vademecum/v1/server_pb.js";
import type { Job } from "../../core/jobs/jobs.js";
import { instantOfMillis } from "../../core/model/instant.js";
import type { ServerStatus } from "../../core/monitor/service.js";
import { fromMillis } from "./duration.js";
import { fromInstant } from "./instant.js";

const protoWrites: Readonly<Record<ServerStatus["writes"], ServerWrites>> = {
  ok: ServerWrites.OK,
  disk_full: ServerWrites.DISK_FULL,
  read_only: ServerWrites.READ_ONLY,
  unavailable: ServerWrites.UNAVAILABLE,
};

/** Converts an error of a job as the caller may see it. */
type ToStatus = (error: unknown) => Status;

/** Converts how a server does to its message. */
export function fromServerStatus(status: ServerStatus, toStatus: ToStatus): GetServerResponse {
  const { model, lastMinute, dataBytes, freeBytes } = status;
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
    jobs: status.jobs.map((job) => fromJob(job, toStatus)),
    pendingProposals: BigInt(status.pendingProposals),
    lastBackupTime: timeOf(status.lastBackupMs),
    lastPruneTime: timeOf(status.lastPruneMs),
  });
}

/** Converts a job to its message. */
export function fromJob(job: Job, toStatus: ToStatus): JobMessage {
  const { id, kind, namespace, phase, done, total, startMs, endMs, error } = job;
  return create(JobSchema, {
    ...{ id, kind: ProtoJobKind[kind], phase, done: BigInt(done), total: BigInt(total) },
    ...(namespace && { namespace: { userId: namespace.userId, agentId: namespace.agentId } }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    ...(error !== undefined && { error: toStatus(error) }),
  });
}

function timeOf(ms: number | undefined) {
  return ms === undefined ? undefined : fromInstant(instantOfMillis(ms));
}

import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { Status } from "#gen/google/rpc/status_pb.js";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import {
  CancelJobResponseSchema,
  ListAuditEventsResponseSchema,
  ListSlowCallsResponseSchema,
  WatchJobsResponseSchema,
} from "#gen/vademecum/v1/server_pb.js";
import type { Job } from "../../core/jobs/jobs.js";
import type { HandlersOf, RpcCall } from "../adapt/handler.js";
import { toStatus } from "../adapt/status.js";
import { fromAuditLine, toAuditQuery } from "../convert/audit-event.js";
import { fromJob, fromSample, fromServerStatus, fromSlowCall } from "../convert/server.js";
import { defaultSampleIntervalMs, defaultSlowCalls } from "../defaults.js";
import type { AdminRpcsParts } from "./parts.js";

type ServerHandlers = Pick<
  HandlersOf<typeof AdminService>,
  "getServer" | "watchServer" | "listSlowCalls" | "listAuditEvents" | "watchJobs" | "cancelJob"
>;

/** Creates the RPCs about the server itself. */
export function createServerHandlers({
  server,
  report,
}: Pick<AdminRpcsParts, "server" | "report">): ServerHandlers {
  /** The errors of jobs as their first watcher saw them, so that each is logged once. */
  const statuses = new WeakMap<Job, Status>();
  const jobsFor = (jobs: readonly Job[], call: RpcCall) =>
    jobs.map((job) => {
      const { error } = job;
      if (error === undefined) return fromJob(job);
      const status = statuses.get(job) ?? toStatus(report(error, call));
      statuses.set(job, status);
      return fromJob(job, status);
    });
  return {
    getServer: async (_, call) => {
      const status = await server.status();
      return fromServerStatus(status, jobsFor(status.jobs, call));
    },
    watchServer: async function* ({ interval }, call) {
      const intervalMs = interval === undefined ? defaultSampleIntervalMs : durationMs(interval);
      for await (const watched of server.watch(intervalMs, call)) yield fromSample(watched);
    },
    listSlowCalls: async ({ userId, method, minDuration, limit = defaultSlowCalls }) => {
      const minDurationMs = minDuration === undefined ? 0 : durationMs(minDuration);
      const named = method === "" ? undefined : method;
      const calls = server.slowCalls({ userId, method: named, minDurationMs, limit });
      return create(ListSlowCallsResponseSchema, { calls: calls.map(fromSlowCall) });
    },
    listAuditEvents: async (request, call) => {
      const lines = await server.auditLines(toAuditQuery(request), call);
      return create(ListAuditEventsResponseSchema, { events: lines.map(fromAuditLine) });
    },
    watchJobs: async function* ({ heartbeat }, call) {
      const heartbeatMs = heartbeat && durationMs(heartbeat);
      for await (const jobs of server.watchJobs(heartbeatMs, call))
        yield create(WatchJobsResponseSchema, { jobs: jobsFor(jobs, call) });
    },
    cancelJob: async ({ job }) =>
      create(CancelJobResponseSchema, { cancelled: server.cancelJob(job) }),
  };
}

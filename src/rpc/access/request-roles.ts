import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Health, type HealthCheckRequest } from "#gen/grpc/health/v1/health_pb.js";
import { AccessService } from "#gen/vademecum/v1/access_service_pb.js";
import { MemoryProvider, type ResetRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Role } from "../../core/model/principal.js";

/**
 * Returns the role that a request needs in addition to the rule of its RPC; `undefined` if it needs
 * no further role. The handler of Dispatch finds the role of the named tool itself.
 */
export function neededRole(method: DescMethod, request: Message): Role | undefined {
  if (method !== MemoryProvider.method.reset) return undefined;
  return (request as ResetRequest).target.case === "everything" ? "operator" : "curator";
}

/**
 * Whether callers without credentials may make a request. They may check or watch the health of the
 * whole server, and ask who they are.
 */
export function needsNoCredentials(method: DescMethod, request: Message): boolean {
  if (method === AccessService.method.getCaller) return true;
  if (method !== Health.method.check && method !== Health.method.watch) return false;
  return (request as HealthCheckRequest).service === "";
}

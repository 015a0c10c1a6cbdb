import { create } from "@bufbuild/protobuf";
import { AccessService, GetCallerResponseSchema } from "#gen/vademecum/v1/access_service_pb.js";
import { anonymous } from "../../core/model/principal.js";
import { type Implementation, implement } from "../adapt/handler.js";

/** Creates the RPCs of `vademecum.v1.AccessService`. */
export function createAccessRpcs(): Implementation {
  return implement(AccessService, {
    getCaller: async (_, { principal }) =>
      create(GetCallerResponseSchema, {
        principal: principal.name,
        tenant: principal.tenant,
        roles: [...principal.roles],
        users: [...principal.users],
        agents: [...principal.agents],
        runs: [...principal.runs],
        tools: [...principal.tools],
        credentialsInUse: principal.name !== anonymous.name,
      }),
  });
}

import type { DescService } from "@bufbuild/protobuf";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "#gen/grpc/reflection/v1alpha/reflection_pb.js";
import { descriptors } from "../descriptors.js";
import { factsOf, type RpcRule } from "../rpc-facts.js";

/**
 * The standard services, whose definitions are not ours. `needsNoCredentials` tells a check of the
 * whole server from other calls of Health, which need credentials.
 */
const standardRules: readonly (readonly [DescService, RpcRule])[] = [
  [Health, "everybody"],
  [ServerReflection, "any credentials"],
  [ServerReflectionAlpha, "any credentials"],
];

const rulesByPath: ReadonlyMap<string, RpcRule> = new Map([
  ...descriptors.flatMap((service) =>
    service.methods.map((method) => [pathIn(service, method), factsOf(method).rule] as const),
  ),
  ...standardRules.flatMap(([service, rule]) =>
    service.methods.map((method) => [pathIn(service, method), rule] as const),
  ),
]);

/**
 * Returns who may call the RPC at a path such as `/vademecum.v1.MemoryProvider/Add`; `undefined`
 * if no RPC is there.
 */
export function ruleOf(path: string): RpcRule | undefined {
  return rulesByPath.get(path);
}

function pathIn({ typeName }: DescService, { name }: { readonly name: string }): string {
  return `/${typeName}/${name}`;
}

import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";

/**
 * Returns services that pass each call on to the services of its caller's tenant.
 *
 * @param servicesOf creates the services of a tenant. Called once for each tenant, at its first
 *   call, and once at the start with an empty name, to learn the methods
 */
export function perTenant(
  servicesOf: (tenant: string) => readonly Implementation[],
): readonly Implementation[] {
  const created = new Map<string, ReadonlyMap<string, RpcMethod>>();
  const methodsOf = (tenant: string): ReadonlyMap<string, RpcMethod> => {
    const known = created.get(tenant);
    if (known !== undefined) return known;
    const methods = new Map(
      servicesOf(tenant).flatMap((service) =>
        service.methods.map((it) => [nameOf(it), it] as const),
      ),
    );
    created.set(tenant, methods);
    return methods;
  };
  return servicesOf("").map((implementation) => ({
    ...implementation,
    methods: implementation.methods.map((method) => routeMethod(method, methodsOf)),
  }));
}

function routeMethod(
  method: RpcMethod,
  methodsOf: (tenant: string) => ReadonlyMap<string, RpcMethod>,
): RpcMethod {
  const handle = (request: unknown, call: RpcCall): unknown => {
    const target = methodsOf(call.principal.tenant).get(nameOf(method));
    if (target === undefined)
      throw new Error(`the services of this tenant have no method ${nameOf(method)}`);
    return (target.handle as (request: unknown, call: RpcCall) => unknown)(request, call);
  };
  // A method has handlers of the same type for all tenants.
  return { ...method, handle } as RpcMethod;
}

function nameOf({ descriptor }: RpcMethod): string {
  return `${descriptor.parent.typeName}/${descriptor.name}`;
}

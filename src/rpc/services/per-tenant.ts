import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";

/**
 * Returns services that pass each call on to the services of its caller's tenant.
 *
 * @param domainOf returns what the services of a tenant work on. Called for each call, and once at
 *   the start with an empty name, to learn the methods
 * @param servicesOf creates services. Called once for each domain
 */
export function perTenant<Domain extends object>(
  domainOf: (tenant: string) => Domain,
  servicesOf: (domain: Domain) => readonly Implementation[],
): readonly Implementation[] {
  // Does not keep the services of a domain that nothing else holds any more.
  const created = new WeakMap<Domain, ReadonlyMap<string, RpcMethod>>();
  const methodsOf = (tenant: string): ReadonlyMap<string, RpcMethod> => {
    const domain = domainOf(tenant);
    const known = created.get(domain);
    if (known !== undefined) return known;
    const methods = new Map(
      servicesOf(domain).flatMap((service) =>
        service.methods.map((it) => [nameOf(it), it] as const),
      ),
    );
    created.set(domain, methods);
    return methods;
  };
  return servicesOf(domainOf("")).map((implementation) => ({
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

import type { Domain } from "../../src/rpc/services/services.js";

/** The use cases that a test provides. A call of any other use case fails. */
export type UseCases = { readonly [Service in keyof Domain]?: Partial<Domain[Service]> };

/** No user has moved to another server. */
const unmoved: UseCases = {
  moves: { hasEntries: () => false },
  backups: { movedUsers: async () => ({ count: 0, addresses: [] }) },
};

/** Creates a domain that looks up each use case in `current()` when it is called. */
export function domainOf(current: () => UseCases): Domain {
  return new Proxy({} as Domain, {
    get: (_, service) => serviceOf(() => ({ ...unmoved, ...current() })[service as keyof Domain]),
  });
}

function serviceOf(current: () => object | undefined): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        const useCase: unknown = Reflect.get(current() ?? {}, name);
        return (
          useCase ??
          (() => Promise.reject(new Error(`the test provides no use case ${String(name)}`)))
        );
      },
    },
  );
}

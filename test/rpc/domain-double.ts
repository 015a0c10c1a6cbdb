import type { Domain } from "../../src/rpc/services/services.js";

/** Use cases of each service that a test provides; whatever else is called fails. */
export type UseCases = { readonly [Service in keyof Domain]?: Partial<Domain[Service]> };

/** A domain whose use cases are looked up, at each call, in what `current` returns. */
export function domainOf(current: () => UseCases): Domain {
  return new Proxy({} as Domain, {
    get: (_, service) => serviceOf(() => current()[service as keyof Domain]),
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
          (() => Promise.reject(new Error(`the test expects no call of ${String(name)}`)))
        );
      },
    },
  );
}

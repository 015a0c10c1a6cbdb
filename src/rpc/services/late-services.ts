import type { DescMethod } from "@bufbuild/protobuf";
import type { Access } from "../access/access.js";
import type { Implementation, RpcMethod } from "../adapt/handler.js";
import { descriptors } from "./descriptors.js";

/** The services of a server that listens before its handlers are loaded. */
export interface LateServices {
  /** All services. Requires: calls are admitted by the result of `holdBack`. */
  readonly implementations: readonly Implementation[];
  /**
   * Returns an access that refuses calls as `access` does, but admits calls of these services only
   * when the handlers are loaded.
   */
  holdBack(access: Access): Access;
  /**
   * Sets the handlers. If `loading` rejects, each call of the services fails with the same error.
   *
   * @param loading the services of `descriptors` with their handlers
   */
  load(loading: Promise<readonly Implementation[]>): void;
}

/** Creates the services without handlers. */
export function createLateServices(): LateServices {
  const methods = new Map<DescMethod, RpcMethod>();
  const names: ReadonlySet<string> = new Set(descriptors.map(({ typeName }) => typeName));
  let isLoaded = false;
  let begin: (loading: Promise<unknown>) => void = () => undefined;
  const loaded = new Promise<unknown>((resolve) => {
    begin = resolve;
  });
  return {
    implementations: descriptors.map((service) => ({
      service,
      methods: service.methods.map((descriptor) => lateMethod(descriptor, methods)),
    })),
    holdBack: (access) => ({
      ...access,
      admit(path, credentials) {
        const admitted = access.admit(path, credentials);
        if (isLoaded || !names.has(path.slice(1, path.lastIndexOf("/")))) return admitted;
        return Promise.all([admitted, loaded]).then(([principal]) => principal);
      },
    }),
    load(loading) {
      const loadAll = async (): Promise<void> => {
        for (const service of await loading)
          for (const method of service.methods) methods.set(method.descriptor, method);
        isLoaded = true;
      };
      begin(loadAll());
      // If no call waits, nothing else handles a failure of `loaded`. The caller handles `loading`.
      loaded.catch(() => undefined);
    },
  };
}

/**
 * Returns a method with this descriptor. The method looks up everything else in `methods` when it
 * is called.
 */
function lateMethod(
  descriptor: DescMethod,
  methods: ReadonlyMap<DescMethod, RpcMethod>,
): RpcMethod {
  const loaded = (): RpcMethod => {
    const method = methods.get(descriptor);
    if (method === undefined) throw new Error(`${descriptor.name} is not loaded`);
    return method;
  };
  const method = {
    kind: descriptor.methodKind,
    descriptor,
    get handle() {
      return loaded().handle;
    },
    get openEnded() {
      return loaded().openEnded;
    },
    get needsSlot() {
      return loaded().needsSlot;
    },
    get streamKind() {
      return loaded().streamKind;
    },
  };
  // A handler has the kind of its descriptor; the type of the object cannot express this.
  return method as RpcMethod;
}

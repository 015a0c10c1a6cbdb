import type { Namespace } from "../core/model/namespace.js";
import type { SearchIndex } from "../core/ports/search-index.js";

/**
 * Returns a view of an index for the data of one tenant. Callers of the view never name the tenant,
 * so they cannot search any other data.
 */
export function indexOfTenant(index: SearchIndex, tenant: string): SearchIndex {
  const within = (namespace: Namespace): Namespace => ({ ...namespace, tenant });
  return {
    profileOf: (namespace) => index.profileOf(within(namespace)),
    read: (namespace, signal, read, wanted) => index.read(within(namespace), signal, read, wanted),
    readLoaded: (namespace, signal, read) => index.readLoaded(within(namespace), signal, read),
    release: (namespace) => index.release(within(namespace)),
    derivedFiles: async (namespace) =>
      (await index.derivedFiles?.(within(namespace))) ?? { images: 0, graphs: 0 },
  };
}

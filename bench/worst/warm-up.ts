import type { DescMethod } from "@bufbuild/protobuf";
import type { Arena } from "./arena.js";
import { type FolderRecords, valuesFor } from "./filled-folder.js";

/** Methods that load what other requests need: indexes, the model, the token counter. */
const loading = new Set(["Search", "GetBlock", "WriteKey"]);

/**
 * Sends ordinary requests to a new server. The first requests of a server load indexes and models.
 * The figures of the next request then do not include this work.
 */
export async function warmUp(
  arena: Arena,
  methods: readonly DescMethod[],
  records: FolderRecords,
): Promise<void> {
  for (const method of methods.filter(({ name }) => loading.has(name)))
    for (const [world, values] of valuesFor(method.parent.name, records).entries())
      for (const encoding of ["binary", "json"] as const)
        await arena.attack(method, { encoding, world, messages: 1, parts: [] }, values);
}

import { type Client, createClient } from "@connectrpc/connect";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import type { Connection } from "./protocols.js";

/** Options of a call that lists keys. */
export interface PageFields {
  readonly limit?: number;
  readonly pageToken?: string;
}

/** Calls about the keys of one run. */
export interface RunClient {
  readonly runId: string;
  readonly service: Client<typeof KeyValueService>;
  /** Whether the key is new. */
  write(key: string, value: string, idempotencyKey?: string): Promise<boolean>;
  /** `undefined` if the key is missing. */
  read(key: string): Promise<string | undefined>;
  /** Whether the key existed. */
  delete(key: string, idempotencyKey?: string): Promise<boolean>;
  /** All keys, from all pages. */
  list(fields?: PageFields): Promise<string[]>;
  /** All keys that contain the pattern, from all pages. */
  search(pattern: string, fields?: PageFields): Promise<string[]>;
}

/** Creates the client of a run. */
export function createRunClient({ transport }: Connection, runId: string): RunClient {
  const service = createClient(KeyValueService, transport);
  const keyed = (idempotencyKey: string | undefined) =>
    idempotencyKey === undefined ? {} : { idempotencyKey };
  const all = async (
    page: (pageToken: string) => Promise<{ keys: string[]; nextPageToken: string }>,
  ) => {
    const keys: string[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const { keys: more, nextPageToken } = await page(token);
      keys.push(...more);
      token = nextPageToken === "" ? undefined : nextPageToken;
    }
    return keys;
  };
  return {
    runId,
    service,
    write: async (key, value, idempotencyKey) =>
      (await service.writeKey({ runId, key, value, ...keyed(idempotencyKey) })).created,
    async read(key) {
      const { found, value } = await service.readKey({ runId, key });
      return found ? value : undefined;
    },
    delete: async (key, idempotencyKey) =>
      (await service.deleteKey({ runId, key, ...keyed(idempotencyKey) })).deleted,
    list: (fields = {}) => all((pageToken) => service.listKeys({ runId, ...fields, pageToken })),
    search: (pattern, fields = {}) =>
      all((pageToken) => service.searchKeys({ runId, pattern, ...fields, pageToken })),
  };
}

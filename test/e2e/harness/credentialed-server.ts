import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { addPrincipal } from "../../../src/credentials/change-credentials.js";
import {
  type Credentials,
  formatCredentials,
  type StoredPrincipal,
} from "../../../src/credentials/credentials.js";
import type { TimeSource } from "../../../src/server/start-server.js";
import { startTestServer, type TestServer } from "./test-server.js";

/** A server with a credentials file. */
export interface CredentialedServer extends TestServer {
  /** Path of the credentials file. */
  readonly file: string;
  /** Returns the header with the key of a principal. */
  headerOf(name: string): { readonly authorization: string };
}

/**
 * Starts a server that knows some principals, each with one key.
 *
 * @param spoil changes the credentials before the server reads them. Default: no change
 * @param logOutput takes the log. Default: the server logs nothing
 */
export async function startCredentialedServer(
  principals: readonly StoredPrincipal[],
  flags: Readonly<Record<string, string>> = {},
  time?: TimeSource,
  spoil: (credentials: Credentials) => Credentials = (credentials) => credentials,
  logOutput?: Writable,
): Promise<CredentialedServer> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-credentials-"));
  const file = join(folder, "credentials.json");
  const { credentials, keys } = withKeys(principals);
  await writeFile(file, formatCredentials(spoil(credentials)), { mode: 0o600 });
  const server = await startTestServer(
    { provider: "memory", credentials: file, ...flags },
    time,
    logOutput,
  );
  return {
    ...server,
    file,
    headerOf(name) {
      const key = keys.get(name);
      if (key === undefined) throw new Error(`no principal ${name}`);
      return { authorization: `Bearer ${key}` };
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function withKeys(principals: readonly StoredPrincipal[]): {
  readonly credentials: Credentials;
  readonly keys: ReadonlyMap<string, string>;
} {
  let credentials: Credentials = { principals: [] };
  const keys = new Map<string, string>();
  for (const principal of principals) {
    const added = addPrincipal(credentials, principal, { nowMs: Date.now() });
    credentials = added.credentials;
    keys.set(principal.name, added.key);
  }
  return { credentials, keys };
}

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connect } from "vademecum-client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findServer, TestServer } from "../../contract/typescript/index.js";
import { VademecumStore } from "../src/index.js";

const certificates = join(import.meta.dirname, "../../../clients/conformance/tls");
const caFile = join(certificates, "ca.pem");
const certFile = join(certificates, "client-cert.pem");
const keyFile = join(certificates, "client-key.pem");

const folder = mkdtempSync(join(tmpdir(), "vademecum-langgraph-credentials-"));
const credentials = join(folder, "credentials.json");
const apiKeyFile = join(folder, "graph.key");
const server = new TestServer([
  ...["--credentials", credentials],
  ...["--tls-cert", join(certificates, "cert.pem"), "--tls-key", join(certificates, "key.pem")],
  ...["--tls-client-ca", join(certificates, "client-ca.pem")],
]);
let apiKey = "";

/** Starts a server that knows one principal, by its key and by its certificate. */
beforeAll(async () => {
  const grants = ["--role", "writer", "--user", "*", "--agent", "*"];
  const certificate = ["--certificate", "spiffe://vademecum.test/robot"];
  const { stdout } = spawnSync(
    process.execPath,
    [
      ...[findServer(), "keys", "create", "graph", "--credentials", credentials],
      ...grants,
      ...certificate,
    ],
    { encoding: "utf8" },
  );
  writeFileSync(apiKeyFile, stdout);
  apiKey = stdout.trim();
  await server.start();
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

/** Puts and searches an item, and returns its value. */
async function useStore(client: Client): Promise<unknown> {
  try {
    const store = new VademecumStore(client.memories("ada", "graph"), { fields: ["text"] });
    await store.put(["x"], "nuts", { text: "allergic to hazelnuts" });
    const [item] = await store.search(["x"], { query: "hazelnuts" });
    return item?.value;
  } finally {
    client.close();
  }
}

const stored = { text: "allergic to hazelnuts" };

it("a store works with a key over TLS", async () => {
  const tls = { rootCertificates: readFileSync(caFile) };
  expect(await useStore(connect(server.address, { key: apiKey, tls }))).toEqual(stored);
});

it("a store works with a client certificate", async () => {
  const tls = {
    rootCertificates: readFileSync(caFile),
    certificateChain: readFileSync(certFile),
    privateKey: readFileSync(keyFile),
  };
  expect(await useStore(connect(server.address, { tls }))).toEqual(stored);
});

it.each([
  ["a key", () => ({ VADEMECUM_API_KEY: apiKey })],
  ["a file with a key", () => ({ VADEMECUM_API_KEY_FILE: apiKeyFile })],
  ["a certificate", () => ({ VADEMECUM_TLS_CERT: certFile, VADEMECUM_TLS_KEY: keyFile })],
] as const)("a store takes %s from the environment", async (_, variables) => {
  vi.stubEnv("VADEMECUM_TLS_CA", caFile);
  for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
  const client = connect(server.address);
  vi.unstubAllEnvs();
  expect(await useStore(client)).toEqual(stored);
});

it("the refusal of a key reaches the caller of the store", async () => {
  const tls = { rootCertificates: readFileSync(caFile) };
  await expect(useStore(connect(server.address, { key: "vdm_0", tls }))).rejects.toMatchObject({
    reason: "CREDENTIALS_REFUSED",
  });
});

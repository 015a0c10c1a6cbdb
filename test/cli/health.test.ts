import { describe, expect, it, onTestFinished } from "vitest";
import { startCredentialedServer } from "../e2e/harness/credentialed-server.js";
import { startTestServer } from "../e2e/harness/test-server.js";
import { tlsFile } from "../e2e/harness/tls-client.js";
import { runCommand } from "./run-command.js";

const serving = { exitCode: 0, stdout: "SERVING\n", stderr: "" };
const tlsFlags = { "tls-cert": tlsFile("cert.pem"), "tls-key": tlsFile("key.pem") };
const clientFlags = [
  "--tls-cert",
  tlsFile("client-cert.pem"),
  "--tls-key",
  tlsFile("client-key.pem"),
];

/** Returns the environment of a container whose server listens on all addresses, with TLS. */
function containerEnvironment(grpcUrl: string) {
  return {
    VADEMECUM_GRPC: `0.0.0.0:${new URL(grpcUrl).port}`,
    VADEMECUM_TLS_CERT: tlsFile("cert.pem"),
    VADEMECUM_TLS_KEY: tlsFile("key.pem"),
  };
}

describe("health", () => {
  it("health exits with 0 while the server takes calls, and with 1 when it has stopped", async () => {
    const server = await startTestServer({ provider: "memory", embedder: "none" });
    expect(await runCommand(["health", "--server", server.grpcUrl])).toEqual(serving);
    expect((await runCommand(["health", "--json", "--server", server.grpcUrl])).stdout).toBe(
      '{"status":"SERVING"}\n',
    );
    await server.stop();
    expect((await runCommand(["health", "--server", server.grpcUrl])).exitCode).toBe(1);
  });

  it("health without an address asks the server that its environment configures", async () => {
    const server = await startTestServer({ provider: "memory", embedder: "none" });
    onTestFinished(() => server.stop());
    const environment = { VADEMECUM_GRPC: `0.0.0.0:${new URL(server.grpcUrl).port}` };
    expect(await runCommand(["health"], { environment })).toEqual(serving);
  });

  it("health without an address reports that a server with TLS is serving, whoever signed its certificate", async () => {
    const server = await startTestServer({ ...tlsFlags, provider: "memory", embedder: "none" });
    onTestFinished(() => server.stop());
    const environment = containerEnvironment(server.grpcUrl);
    expect(await runCommand(["health"], { environment })).toEqual(serving);
    // With an address, the certificate must be valid.
    const VADEMECUM_SERVER = server.grpcUrl.replace("http:", "https:");
    const addressed = { environment: { ...environment, VADEMECUM_SERVER } };
    expect((await runCommand(["health"], addressed)).exitCode).toBe(1);
  });

  it("health without an address sends no key", async () => {
    const server = await startTestServer({ ...tlsFlags, provider: "memory", embedder: "none" });
    onTestFinished(() => server.stop());
    const environment = {
      ...containerEnvironment(server.grpcUrl),
      // The command would fail if it read this file, or if it sent this key.
      VADEMECUM_API_KEY_FILE: "/absent/key",
      VADEMECUM_API_KEY: "not\na key",
    };
    expect(await runCommand(["health"], { environment })).toEqual(serving);
  });

  it("health sends the certificate of --tls-cert to a server that requires a client certificate", async () => {
    const probe = { name: "probe", roles: ["reader"], certificates: ["planner.example"] } as const;
    const server = await startCredentialedServer([probe], {
      ...tlsFlags,
      "tls-client-ca": tlsFile("client-ca.pem"),
      "tls-client-auth": "require",
    });
    onTestFinished(() => server.stop());
    const environment = containerEnvironment(server.grpcUrl);
    expect((await runCommand(["health"], { environment })).exitCode).toBe(1);
    expect(await runCommand(["health", ...clientFlags], { environment })).toEqual(serving);
  });
});

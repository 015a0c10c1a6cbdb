import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../e2e/harness/credentialed-server.js";
import { required } from "../e2e/harness/namespace-client.js";
import { runCommand } from "./run-command.js";

const fixtures = join(import.meta.dirname, "..", "fixtures", "tls");
const principal = {
  name: "ann",
  roles: ["writer"],
  users: ["ann"],
  agents: ["*"],
  certificates: ["spiffe://example/planner"],
} as const;
const owner = ["--user", "ann", "--agent", "a"];

let folder = "";
let plain: CredentialedServer | undefined;
let secure: CredentialedServer | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-api-key-"));
  plain = await startCredentialedServer([principal]);
  secure = await startCredentialedServer([principal], {
    "tls-cert": join(fixtures, "cert.pem"),
    "tls-key": join(fixtures, "key.pem"),
    "tls-client-ca": join(fixtures, "client-ca.pem"),
  });
});
afterAll(async () => {
  await plain?.stop();
  await secure?.stop();
  await rm(folder, { recursive: true });
});

describe("commands for a server with credentials", () => {
  it("a command sends the key of VADEMECUM_API_KEY or of --api-key-file", async () => {
    const { grpcUrl } = running(plain);
    const key = running(plain).headerOf("ann").authorization.replace("Bearer ", "");
    const list = (environment: Record<string, string>, ...more: string[]) =>
      runCommand(["list", ...owner, "--server", grpcUrl, ...more], { environment });
    expect((await list({ VADEMECUM_API_KEY: key })).exitCode).toBe(0);
    const file = join(folder, "key.txt");
    await writeFile(file, `${key}\n`);
    expect((await list({}, "--api-key-file", file)).exitCode).toBe(0);
    const without = await list({});
    expect(without.exitCode).toBe(1);
    expect(without.stderr).toContain("needs valid credentials");
    await writeFile(file, "two words");
    expect((await list({}, "--api-key-file", file)).stderr).toContain("does not hold one key");
  });

  it("a command refuses to send a key in plaintext to another machine", async () => {
    const environment = { VADEMECUM_API_KEY: "vdm_x" };
    for (const server of ["memory.example:50051", "http://192.168.1.5:50051", "[2001:db8::1]:1"]) {
      const refused = await runCommand(["list", ...owner, "--server", server], { environment });
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toContain("in plaintext, so others could read it");
    }
  });

  it("a command shows its client certificate to the server", async () => {
    const server = running(secure).grpcUrl.replace("http://127.0.0.1", "https://localhost");
    const tls = [
      ["--server", server],
      ["--tls-ca", join(fixtures, "cert.pem")],
      ["--tls-cert", join(fixtures, "client-cert.pem")],
      ["--tls-key", join(fixtures, "client-key.pem")],
    ];
    expect((await runCommand(["list", ...owner, ...tls.flat()])).exitCode).toBe(0);
    const without = await runCommand(["list", ...owner, ...tls.slice(0, 2).flat()]);
    expect(without.stderr).toContain("needs valid credentials");
    const half = await runCommand(["list", ...owner, ...tls.slice(0, 3).flat()]);
    expect(half).toMatchObject({
      exitCode: 2,
      stderr: "error: --tls-key: missing, but --tls-cert is given; give both\n",
    });
  });
});

function running(server: CredentialedServer | undefined): CredentialedServer {
  return required(server, "no server");
}

import { setMaxListeners } from "node:events";
import { createClient, type Transport } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { collect } from "../../contract/store/context.js";
import { startCredentialedServer } from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { nativeGrpc } from "../harness/protocols.js";

const none = { users: [], agents: [], runs: [], tools: [] };
const operator = (name: string, tenant?: string) => ({
  ...{ name, roles: ["operator"] as const, ...none },
  ...(tenant === undefined ? {} : { tenant }),
});

it("idle restores of one operator keep neither other operators nor other tenants from their work", async () => {
  const server = await startCredentialedServer([
    operator("noisy", "acme"),
    operator("second", "acme"),
    operator("other", "globex"),
    operator("plain"),
  ]);
  onTestFinished(() => server.stop());
  const connect = (): Transport => {
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    return connection.transport;
  };
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  onTestFinished(() => ending.abort());
  const idle = () => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise<never>((_, reject) => {
          ending.signal.addEventListener("abort", () => reject(new Error("ended")));
        }),
    }),
  });
  const noisy = createClient(AdminService, connect());
  const headers = server.headerOf("noisy");
  const attempts = Array.from({ length: 100 }, () =>
    failureOf(collect(noisy.restore(idle(), { headers, signal: ending.signal }))),
  );
  // All but a few are refused at once.
  let refused = 0;
  const reasons = new Set<string>();
  for (const attempt of attempts)
    void attempt.then(({ reason }) => {
      refused++;
      reasons.add(reason ?? "");
    });
  await expect.poll(() => refused).toBeGreaterThanOrEqual(92);
  for (const name of ["second", "other", "plain"]) {
    const admin = createClient(AdminService, connect());
    const options = { headers: server.headerOf(name) };
    expect((await collect(admin.backup({}, options))).length).toBeGreaterThan(0);
    await admin.prune({}, options);
  }
  expect([...reasons].length).toBe(1);
});

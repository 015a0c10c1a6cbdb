import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { collect } from "../e2e/harness/namespace-client.js";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory" });
});

afterAll(() => server.stop());

const run = (...args: string[]) =>
  runCommand(args, { environment: { VADEMECUM_SERVER: server.grpcUrl } });

const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

describe("jobs", () => {
  it("jobs lists jobs newest first, and cancels one that runs", async () => {
    const connection = nativeGrpc.connect(server);
    const admin = createClient(AdminService, connection.transport);
    await admin.prune({});
    const exported = await collect(admin.export({}));
    const silence = new Promise<never>(() => undefined);
    const importing = admin
      .import(
        (async function* () {
          yield { records: exported.flatMap(({ records }) => records).slice(0, 1) };
          await silence;
        })(),
      )
      [Symbol.asyncIterator]();
    await importing.next();
    const { stdout } = await run("jobs");
    // The server has pruned once by itself.
    expect(stdout).toMatch(
      new RegExp(
        `^\\d  import.*  since ${time}\n\\d  export.*, done\n\\d  prune  ended ${time}, done\n`,
      ),
    );
    const id = stdout.slice(0, 1);
    expect(await run("jobs", "cancel", id)).toEqual({
      ...{ exitCode: 0, stdout: `job ${id} is being cancelled\n`, stderr: "" },
    });
    await expect(importing.next()).rejects.toThrow("an operator has cancelled the job");
    const [newest = ""] = (await run("jobs", "--json")).stdout.split("\n");
    expect(JSON.parse(newest)).toMatchObject({ id, kind: "JOB_KIND_IMPORT" });
    expect((await run("jobs")).stdout).toMatch(/^\d {2}import.*, failed: .*cancelled the job/);
    connection.close();
  });

  it("jobs cancel says why a job cannot be cancelled", async () => {
    expect(await run("jobs", "cancel", "1")).toMatchObject({
      ...{ exitCode: 1, stdout: "" },
      stderr: expect.stringMatching(/job 1 \(prune.*\): it has ended already\n$/) as string,
    });
    expect((await run("jobs", "cancel", "77")).stderr).toContain(
      "there is no job 77; `vademecum jobs` lists the jobs",
    );
  });
});

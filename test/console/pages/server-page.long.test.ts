import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { startTestServer } from "../../e2e/harness/test-server.js";
import { startTestEndpoint, type TestEndpoint } from "../../embed/openai/test-endpoint.js";
import { callServer, useConsole } from "./browser.js";

const namespace = { userId: "ada", agentId: "tutor" };
const ends: (() => Promise<unknown>)[] = [];
let endpoint: TestEndpoint;

/** Starts a server on memories whose vectors are of another model than its own. */
const server = useConsole(async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-server-page-"));
  ends.push(() => rm(folder, { recursive: true }));
  const data = join(folder, "data");
  const before = await startTestServer({ data, provider: "level", embedder: "local" });
  await callServer(before.httpUrl, "MemoryProvider/Add", { namespace, content: "Ada likes math" });
  await before.stop();
  const started = await startTestEndpoint();
  ends.push(() => started.stop());
  endpoint = started;
  const flags = { data, provider: "level", embedder: "openai", "openai-url": endpoint.url };
  return startTestServer(flags);
});

afterAll(async () => {
  for (const end of ends) await end();
});

it("the page of the server shows what the server does, as it does it", async () => {
  const test = server();
  const page = await test.open("#/server");
  await page.getByText("the last one").waitFor();
  const calls = page.locator("tr").filter({ hasText: "BlockService/ListBlocks" });
  for (let index = 0; index < 7; index += 1)
    await test.call("BlockService/ListBlocks", { userId: "ada" });
  await test.call("BlockService/GetBlock", { userId: "ada", label: "none" }).catch(() => undefined);
  await calls.waitFor({ timeout: 15_000 });
  expect(await calls.locator("td").nth(1).textContent()).toBe("7");
  await page.getByText("NOT_FOUND 1").waitFor();
  await page.getByRole("img", { name: /^calls a second: .* now, at most/ }).waitFor();
});

it("slow calls are listed without texts, and can be filtered by user", async () => {
  const test = server();
  await test.call("BlockService/ListBlocks", { userId: "ada" });
  await test.call("BlockService/ListBlocks", { userId: "ben" });
  const page = await test.open("#/server/slow");
  const rows = page.locator("tr").filter({ hasText: "BlockService/ListBlocks" });
  await rows.nth(1).waitFor();
  await page.getByLabel("user", { exact: true }).fill("ben");
  await page.keyboard.press("Enter");
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.first().textContent()).toContain("ben");
});

it("a job appears while it runs, and ends when somebody cancels it on the page", async () => {
  const test = server();
  const page = await test.open("#/server/jobs");
  await page.getByText("prune").first().waitFor();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  endpoint.answerAll(async (response) => {
    await held;
    response.destroy();
  });
  const baseUrl = test.server.httpUrl;
  const admin = createClient(AdminService, createConnectTransport({ baseUrl, httpVersion: "1.1" }));
  const reindexed = (async () => {
    for await (const _ of admin.reindex({ target: { case: "namespace", value: namespace } }));
    return "done";
  })().catch((error: unknown) => String(error));
  const job = page.locator("tr").filter({ hasText: "reindex" });
  await job.getByText("under way").waitFor();
  expect(await job.textContent()).toContain("ada");
  await job.getByRole("button", { name: "cancel" }).click();
  await job.getByRole("button", { name: "Cancel it now" }).click();
  release();
  expect(await reindexed).toContain("cancel");
  await job.getByText(/cancelled/i).waitFor();
});

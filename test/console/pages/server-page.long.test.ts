import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startTestServer } from "../../e2e/harness/test-server.js";
import {
  startTestEndpoint,
  type TestEndpoint,
  withVectors,
} from "../../embed/openai/test-endpoint.js";
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
  const memories = Array.from({ length: 300 }, (_, index) => ({ content: `lesson ${index}` }));
  await callServer(before.httpUrl, "MemoryProvider/AddMany", { namespace, memories });
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

it("slow calls are listed without texts, with their parts and rows, and can be filtered by user", async () => {
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
  const [took = 0, ...parts] = (await rows.first().locator("td.number").allTextContents())
    .slice(0, 4)
    .map((text) => Number(text.replace(" ms", "")));
  // Each figure is rounded.
  expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - took)).toBeLessThan(0.3);
  await page.getByLabel("user", { exact: true }).fill("ada");
  await page.getByLabel("call", { exact: true }).fill("Count");
  await test.call("MemoryProvider/Count", { namespace });
  await page.getByRole("button", { name: "Ask again" }).click();
  const count = page.locator("tr").filter({ hasText: "MemoryProvider/Count" });
  await count.waitFor();
  const heads = await page.locator("th").allTextContents();
  const cells = await count.locator("td").allTextContents();
  expect(cells[heads.indexOf("rows read")]).toBe("300");
});

it("a reindex goes on when its tab closes, another browser sees it, and can cancel it", async () => {
  const test = server();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  endpoint.answerNext(...Array.from({ length: 8 }, () => withVectors()));
  endpoint.answerAll(async (response) => {
    await held;
    response.destroy();
  });
  const page = await test.open("#/server/jobs");
  await page.getByRole("button", { name: "Reindex all…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This gives new vectors of").waitFor();
  await dialog.locator("input").fill("reindex");
  await dialog.getByRole("button", { name: "Reindex all" }).click();
  await dialog.getByText("It has begun").waitFor();
  const jobIn = (tab: typeof page) => tab.locator("tr").filter({ hasText: "reindex" });
  await jobIn(page).getByText("under way").waitFor();
  await page.close();
  const other = await test.openElsewhere("#/server/jobs");
  const job = jobIn(other);
  await job.getByText(/[1-9]\d* of 300/).waitFor();
  await job.getByText("under way").waitFor();
  await job.getByRole("button", { name: "cancel" }).click();
  await job.getByRole("button", { name: "Cancel it now" }).click();
  release();
  await job.getByText(/cancelled/i).waitFor();
  await expect
    .poll(async () => (await test.call("AdminService/GetServer", {}))["jobs"])
    .toEqual([]);
});

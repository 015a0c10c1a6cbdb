import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startTestServer } from "../../e2e/harness/test-server.js";
import { useConsole } from "./browser.js";

const folder = await mkdtemp(join(tmpdir(), "vademecum-audit-page-"));
afterAll(() => rm(folder, { recursive: true }));
const server = useConsole(() =>
  startTestServer({ provider: "level", data: join(folder, "data"), audit: "changes" }),
);

it("the audit page lists who did what, and the lines about one user", async () => {
  const test = server();
  for (const userId of ["ada", "ben", "ben"])
    await test.call("BlockService/PutBlock", { userId, label: `notes ${userId}`, body: "secret" });
  const page = await test.open("#/server/audit");
  const rows = page.locator("tr").filter({ hasText: "BlockService/PutBlock" });
  await rows.nth(2).waitFor();
  expect(await page.locator("main").textContent()).not.toMatch(/secret|notes ada/);
  await page.getByLabel("user", { exact: true }).fill("ben");
  await page.keyboard.press("Enter");
  await rows.nth(2).waitFor({ state: "hidden" });
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(2);
});

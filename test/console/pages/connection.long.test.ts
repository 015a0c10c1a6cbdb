import { expect, it, vi } from "vitest";
import { useConsole } from "./browser.js";
import { propose, putProfile } from "./proposals.js";

const server = useConsole();

it("a lost server is noticed, decisions are off, and a typed text survives until it is back", async () => {
  const test = server();
  await putProfile(test);
  const id = await propose(test, "Likes: math", "Likes: music");
  const page = await test.open(`#/inbox/ada/${id}`);
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("e");
  await page.getByLabel("New text").fill("Likes: art");
  test.tap.cut();
  await page.getByText("not connected").waitFor({ timeout: 4_000 });
  expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
  expect(await page.locator("[role=option]").count()).toBe(1);
  test.tap.mend();
  await page.getByText("● live").waitFor();
  expect(await page.locator("textarea").first().isVisible()).toBe(true);
  await page.keyboard.press("Control+Enter");
  await page.getByText("is now version 2").first().waitFor();
});

it("a page that failed while the server was away loads by itself once the server is back", async () => {
  const test = server();
  await putProfile(test);
  const page = await test.open();
  await page.getByText("● live").waitFor();
  test.tap.cut();
  await page.evaluate(`location.hash = "#/u/ada"`);
  await page.getByText("the server does not answer").first().waitFor();
  test.tap.mend();
  await page.getByRole("link", { name: "profile" }).waitFor();
  expect(await page.getByText("the server does not answer").count()).toBe(0);
});

it("twelve tabs share one stream, and another tab takes over when its tab closes", async () => {
  const test = server();
  await putProfile(test);
  const pages = [];
  for (let index = 0; index < 12; index += 1) {
    const page = await test.open();
    await page.getByText("● live").waitFor();
    pages.push(page);
  }
  expect(test.tap.streams()).toBe(1);
  await pages[0]?.close();
  await vi.waitFor(() => expect(test.tap.streams()).toBe(1), { timeout: 5_000 });
  await propose(test, "Likes: math", "Likes: music");
  for (const page of pages.slice(1)) await page.locator("[role=option]").first().waitFor();
});

it("a server that is silent counts as lost after two heartbeats at most", async () => {
  const test = server();
  const page = await test.open();
  await page.getByText("● live").waitFor();
  test.tap.stall();
  await page.getByText("not connected").waitFor({ timeout: 11_000 });
  test.tap.mend();
  await page.getByText("● live").waitFor();
});

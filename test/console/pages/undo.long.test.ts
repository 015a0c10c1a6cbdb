import { expect, it } from "vitest";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../../e2e/harness/credentialed-server.js";
import { callServer, useConsole } from "./browser.js";

const any = { users: ["*"], agents: ["*"], runs: ["*"] };
const namespace = { userId: "ada", agentId: "tutor" };
let server: CredentialedServer;
const consoleTest = useConsole(async () => {
  server = await startCredentialedServer(
    [
      { name: "tutor", roles: ["writer", "proposer"], ...any },
      { name: "bea", roles: ["approver", "curator"], ...any },
      { name: "cem", roles: ["approver", "proposer"], ...any },
    ],
    { embedder: "none" },
  );
  return server;
});

const keyOf = (name: string) => server.headerOf(name).authorization.replace("Bearer ", "");
const openAs = (name: string, place = "#/inbox") =>
  consoleTest()
    .openElsewhere(`#key=${encodeURIComponent(keyOf(name))}`)
    .then(async (page) => {
      await page.getByText(`key:${name}`).waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      return page;
    });

/** Stores a memory, proposes another text for it, and returns the id of the memory. */
async function proposeForMemory(): Promise<string> {
  const headers = { ...server.headerOf("tutor") };
  const added = await callServer(
    server.httpUrl,
    "MemoryProvider/Add",
    { namespace, content: "Ada likes math" },
    headers,
  );
  const memoryId = String(added["id"]);
  const edit = { oldString: "math", newString: "music", reasoning: "She said so" };
  const request = { namespace, memoryId, ...edit };
  await callServer(server.httpUrl, "MemoryProvider/ProposeEdit", request, headers);
  return memoryId;
}

async function textOf(id: string): Promise<string> {
  const headers = { ...server.headerOf("tutor") };
  const got = await callServer(server.httpUrl, "MemoryProvider/Get", { namespace, id }, headers);
  return (got["memory"] as { readonly content: string }).content;
}

it("undo restores a memory, and its approval is listed as undone", async () => {
  const id = await proposeForMemory();
  const page = await openAs("bea");
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("a");
  await page.getByText("is now version 2").first().waitFor();
  expect(await textOf(id)).toBe("Ada likes music");
  await page.evaluate(`location.hash = "#/decided"`);
  await page.getByRole("link", { name: "approved" }).waitFor();
  await page.evaluate(`history.back()`);
  await page.getByTestId("done").waitFor();
  await page.keyboard.press("z");
  await page.getByText("Undone:").first().waitFor();
  expect(await textOf(id)).toBe("Ada likes math");
  await page.evaluate(`location.hash = "#/decided"`);
  await page.getByText("after the approval").waitFor();
  await page.getByRole("link", { name: "undone" }).click();
  await page.getByText("Undone since: the text from before was restored").waitFor();
});

it("who may not restore a memory proposes the text from before", async () => {
  const id = await proposeForMemory();
  const page = await openAs("cem");
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Propose the opposite" }).click();
  await page.getByText("Proposed: the text from before").first().waitFor();
  await page.locator("[role=option]").first().click();
  await page.getByText("Takes back an approved edit").waitFor();
  expect(await textOf(id)).toBe("Ada likes music");
});

it("an edit of one's own says that somebody else has to approve it, and can be rejected", async () => {
  const headers = { ...server.headerOf("cem") };
  const edit = { newBody: "Likes: math", reasoning: "She said so" };
  const request = { namespace, blockLabel: "profile", ...edit };
  await callServer(server.httpUrl, "MemoryProvider/ProposeEdit", request, headers);
  const page = await openAs("cem");
  await page.locator("[role=option]").first().click();
  await page.getByText("You proposed this edit yourself").waitFor();
  expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: /^Edit/ }).isDisabled()).toBe(true);
  await page.keyboard.press("a");
  await page.keyboard.press("r");
  await page.getByLabel("Reason for the agent").fill("Not needed.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Rejected: the edit").first().waitFor();
});

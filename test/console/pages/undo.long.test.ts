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

/** Proposes a new block, approves it in the page of a person, and returns the page. */
async function createBlockAs(name: string) {
  const headers = { ...server.headerOf("tutor") };
  const edit = { newBody: "Likes: math", reasoning: "She said so" };
  const request = { namespace, blockLabel: "profile", ...edit };
  await callServer(server.httpUrl, "MemoryProvider/ProposeEdit", request, headers);
  const page = await openAs(name);
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("a");
  await page.getByText("is now version 1").first().waitFor();
  return page;
}

async function labels(): Promise<unknown> {
  const request = { userId: "ada" };
  const headers = { ...server.headerOf("tutor") };
  const { blocks } = await callServer(server.httpUrl, "BlockService/ListBlocks", request, headers);
  return (blocks as { label: string }[] | undefined)?.map(({ label }) => label) ?? [];
}

it("undo of an approval that created a block deletes the block, and the history says so", async () => {
  const page = await createBlockAs("bea");
  expect(await labels()).toEqual(["profile"]);
  await page.getByRole("button", { name: "Delete the new block" }).waitFor();
  await page.keyboard.press("z");
  await page.getByText("Undone: block profile of ada was deleted").first().waitFor();
  expect(await labels()).toEqual([]);
  await page.evaluate(`location.hash = "#/decided"`);
  await page.getByText("deleted since").waitFor();
  await page.getByRole("link", { name: "approved" }).click();
  await page.getByText("The target was deleted").waitFor();
  expect(await page.getByRole("button", { name: "Delete the new block" }).count()).toBe(0);
});

it("a created block that somebody has changed since is not deleted by undo", async () => {
  const page = await createBlockAs("bea");
  const headers = { ...server.headerOf("bea") };
  const request = { userId: "ada", label: "profile", body: "Likes: art" };
  await callServer(server.httpUrl, "BlockService/PutBlock", request, headers);
  await page.keyboard.press("z");
  await page.getByText("Not undone: somebody has changed").first().waitFor();
  expect(await labels()).toEqual(["profile"]);
});

it("who may not delete a created block proposes an empty text", async () => {
  const page = await createBlockAs("cem");
  await page.getByRole("button", { name: "Propose the opposite" }).click();
  await page.getByText("Proposed: an empty text").first().waitFor();
  expect(await labels()).toEqual(["profile"]);
  await page.locator("[role=option]").first().click();
  await page.getByText("Takes back an approved edit").waitFor();
});

it("an older approval is undone from the history after a second press", async () => {
  const id = await proposeForMemory();
  await (await openAs("bea")).locator("[role=option]").first().click();
  const headers = { ...server.headerOf("bea") };
  const waiting = await callServer(
    ...([server.httpUrl, "ProposalService/ListProposals", { userId: "ada" }, headers] as const),
  );
  const [proposal] = waiting["proposals"] as { id: string }[];
  const approval = { userId: "ada", id: proposal?.id };
  await callServer(server.httpUrl, "ProposalService/ApproveProposal", approval, headers);
  const page = await openAs("bea", "#/decided");
  await page.getByRole("link", { name: "approved" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await textOf(id)).toBe("Ada likes music");
  await page.getByRole("button", { name: "Undo now" }).click();
  await page.getByText("Undone since").waitFor();
  expect(await textOf(id)).toBe("Ada likes math");
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

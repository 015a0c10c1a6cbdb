import { expect, it } from "vitest";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../../e2e/harness/credentialed-server.js";
import { callServer, useConsole } from "./browser.js";

const any = { users: ["*"], agents: ["*"], runs: ["*"] };
let server: CredentialedServer;
const consoleTest = useConsole(async () => {
  server = await startCredentialedServer(
    [
      { name: "tutor", roles: ["writer", "proposer", "approver"], ...any },
      { name: "reader", roles: ["reader"], ...any },
      { name: "bea", roles: ["approver"], ...any },
      { name: "adas", roles: ["approver"], ...any, users: ["ada"], runs: [] },
    ],
    { embedder: "none" },
  );
  return server;
});

const keyOf = (name: string) => server.headerOf(name).authorization.replace("Bearer ", "");

async function proposeAsTutor(userId = "ada"): Promise<void> {
  const request = {
    namespace: { userId, agentId: "tutor" },
    blockLabel: "profile",
    newBody: "Likes: math",
    reasoning: "She said so",
  };
  await callServer(server.httpUrl, "MemoryProvider/ProposeEdit", request, {
    ...server.headerOf("tutor"),
  });
}

it("without a key the page asks for one, and keeps its place", async () => {
  const test = consoleTest();
  await proposeAsTutor();
  const page = await test.open("#/inbox?user=ada");
  await page.getByText("Who are you?").waitFor();
  await page.getByLabel("API key or token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("does not accept the key").waitFor();
  await page.getByLabel("API key or token").fill(keyOf("bea"));
  await page.keyboard.press("Enter");
  await page.locator("[role=option]").first().waitFor();
  expect(page.url()).toContain("#/inbox?user=ada");
  await page.getByText("key:bea").waitFor();
});

it("a key that no header can carry, or that is not encoded, is refused like any other wrong key", async () => {
  const test = consoleTest();
  const page = await test.open();
  await page.getByLabel("API key or token").fill("ключ \u202e");
  await page.keyboard.press("Enter");
  await page.getByText("does not accept the key").waitFor();
  const other = await test.openElsewhere("#key=%E0%A4%A");
  await other.getByText("does not accept the key").waitFor();
});

it("a key in the address is taken, removed, and handed to new tabs; nothing outlives the tabs", async () => {
  const test = consoleTest();
  await proposeAsTutor();
  const key = keyOf("bea");
  const page = await test.open(`#key=${encodeURIComponent(key)}`);
  await page.locator("[role=option]").first().waitFor();
  expect(page.url()).not.toContain(key);
  const second = await test.open("#/inbox");
  await second.locator("[role=option]").first().waitFor();
  expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain(key);
  const third = await test.openElsewhere("#/inbox");
  await third.getByText("Who are you?").waitFor();
});

it("a reader sees no buttons to decide, and nobody approves an edit of their own", async () => {
  const test = consoleTest();
  await proposeAsTutor();
  const reader = await test.open(`#key=${encodeURIComponent(keyOf("reader"))}`);
  await reader.locator("[role=option]").first().click();
  await reader.getByText("but not decide on them").waitFor();
  expect(await reader.getByRole("button", { name: /^Approve|^Reject/ }).count()).toBe(0);
  const tutor = await test.openElsewhere(`#key=${encodeURIComponent(keyOf("tutor"))}`);
  await tutor.locator("[role=option]").first().click();
  await tutor.getByTestId("diff").waitFor();
  await tutor.getByText("You proposed this edit yourself").waitFor();
  const { proposals } = (await callServer(
    server.httpUrl,
    "ProposalService/ListProposals",
    { userId: "ada" },
    { ...server.headerOf("tutor") },
  )) as { readonly proposals: readonly { readonly id: string }[] };
  const request = { userId: "ada", id: proposals[0]?.id };
  const headers = { ...server.headerOf("tutor") };
  await expect(
    callServer(server.httpUrl, "ProposalService/ApproveProposal", request, headers),
  ).rejects.toThrow("another principal must approve it");
});

it("a key for one user shows nothing of other users, and no page breaks", async () => {
  const test = consoleTest();
  for (const userId of ["ada", "ben", "adam"]) await proposeAsTutor(userId);
  const headers = { ...server.headerOf("tutor") };
  for (const userId of ["ada", "ben"]) {
    const request = { namespace: { userId, agentId: "tutor" }, content: `${userId} likes math` };
    await callServer(server.httpUrl, "MemoryProvider/Add", request, headers);
  }
  const page = await test.open(`#key=${encodeURIComponent(keyOf("adas"))}`);
  await page.locator("[role=option]").first().waitFor();
  expect(await page.locator("[role=option]").count()).toBe(1);
  const show = async (place: string, text: string | RegExp) => {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await page.locator("main").getByText(text).first().waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/adam|ben likes/);
  };
  await show("#/users", "ada");
  await show("#/u/ada/a/tutor", "ada likes math");
  await show("#/u/ben", "OUT_OF_SCOPE");
  await show("#/u/ben/a/tutor", "OUT_OF_SCOPE");
  await show("#/runs", "Runs");
  await show("#/server", "Only operators see the server");
  await show("#/decided", "Nothing was decided");
  expect(await page.getByRole("button", { name: /Forget|Delete/ }).count()).toBe(0);
});

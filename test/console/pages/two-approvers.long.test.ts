import { expect, it } from "vitest";
import { useConsole } from "./browser.js";
import { profile, profileNow, propose, putProfile } from "./proposals.js";

const server = useConsole();

it("two approvers of the same edit make one version, and see the same end", async () => {
  const test = server();
  await putProfile(test);
  const id = await propose(test, "Likes: math", "Likes: music");
  const pages = [
    await test.open(`#/inbox/ada/${id}`),
    await test.openElsewhere(`#/inbox/ada/${id}`),
  ];
  for (const page of pages) await page.getByTestId("diff").waitFor();
  await Promise.all(pages.map((page) => page.keyboard.press("a")));
  for (const page of pages) await page.getByText("Nothing waits").waitFor();
  expect(await profileNow(test)).toEqual([profile.replace("math", "music"), 2]);
});

it("an approver whose text was not used is told so", async () => {
  const test = server();
  await putProfile(test);
  const id = await propose(test, "Likes: math", "Likes: music");
  const page = await test.open(`#/inbox/ada/${id}`);
  await page.getByTestId("diff").waitFor();
  await page.keyboard.press("e");
  await page.getByLabel("New text").fill("Likes: art");
  // The other approver is faster than the stream of this page.
  await page.evaluate(`(() => {
    const real = window.fetch;
    window.fetch = async (url, options) => {
      if (String(url).endsWith("ApproveProposal"))
        await real("../vademecum.v1.ProposalService/ApproveProposal", {
          method: "POST", headers: { "content-type": "application/json" },
          body: JSON.stringify({ userId: "ada", id: ${JSON.stringify(id)} }),
        });
      return real(url, options);
    };
  })()`);
  await page.keyboard.press("Control+Enter");
  await page.getByText("Your text was not used").first().waitFor();
  expect(await profileNow(test)).toEqual([profile.replace("math", "music"), 2]);
});

it("a decision of somebody else appears on the open proposal, and turns its buttons off", async () => {
  const test = server();
  await putProfile(test);
  const id = await propose(test, "Likes: math", "Likes: music");
  const page = await test.open(`#/inbox/ada/${id}`);
  await page.getByTestId("diff").waitFor();
  await test.call("ProposalService/RejectProposal", { userId: "ada", id, reason: "No." });
  await page.getByText("rejected it").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
});

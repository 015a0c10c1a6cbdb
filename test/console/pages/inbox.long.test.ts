import { describe, expect, it, vi } from "vitest";
import { useConsole } from "./browser.js";
import { profile, profileNow, propose, putProfile, readProposal } from "./proposals.js";

const server = useConsole();
const rows = "[role=option]";

describe("the inbox in Chromium", () => {
  it("a new proposal is in the list within a second, and in the title of the tab", async () => {
    const test = server();
    await putProfile(test);
    const page = await test.open();
    await page.getByText("● live").waitFor();
    await propose(test, "Likes: math", "Likes: music");
    await page.locator(rows).first().waitFor({ timeout: 1_000 });
    expect(await page.title()).toBe("(1) Inbox · Vademecum");
    const icon = await page.locator("link[rel=icon]").getAttribute("href");
    expect(decodeURIComponent(icon ?? "")).toContain(">1</text>");
  });

  it("an empty inbox is live within a second, and says how a proposal comes in", async () => {
    const page = await server().open();
    await page.getByText("● live").waitFor({ timeout: 2_000 });
    await page.getByText("Nothing waits").waitFor();
    expect(await page.getByText("ProposeEdit").first().isVisible()).toBe(true);
  });

  it("two keys approve a proposal, and the next one is selected", async () => {
    const test = server();
    await putProfile(test);
    const first = await propose(test, "Likes: math", "Likes: music");
    const second = await propose(test, "physics", "chemistry");
    const page = await test.open();
    await page.locator(rows).nth(1).waitFor();
    await page.keyboard.press("j");
    await page.getByTestId("diff").waitFor();
    expect(page.url()).toContain(first);
    await page.keyboard.press("a");
    await page.getByText("is now version 2").first().waitFor();
    expect(await profileNow(test)).toEqual([profile.replace("math", "music"), 2]);
    await vi.waitFor(() => expect(page.url()).toContain(second));
    expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe("listbox");
  });

  it("an approver changes the proposed text, and the version has the changed text", async () => {
    const test = server();
    await putProfile(test);
    const id = await propose(test, "Likes: math", "Likes: music");
    const page = await test.open();
    await page.locator(rows).first().click();
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("New text").fill("Likes: math and music");
    await page.locator("ins").filter({ hasText: "math and music" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("is now version 2").first().waitFor();
    expect(await profileNow(test)).toEqual([profile.replace("math", "math and music"), 2]);
    expect(await readProposal(test, id)).toMatchObject({
      editedNewString: "Likes: math and music",
      decidedBy: "anonymous",
    });
  });

  it("a text that gets hidden characters after the question is asked about again", async () => {
    const test = server();
    await putProfile(test);
    const id = await propose(test, "Likes: math", "Likes: music", { confidence: "CONFIDENCE_LOW" });
    const page = await test.open(`#/inbox/ada/${id}`);
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("a");
    await page.getByText("the agent is not sure").waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("New text").fill("Likes: \u202ecisum");
    await page.keyboard.press("Control+Enter");
    await page.getByText("hidden characters come in").waitFor();
    expect(await profileNow(test)).toEqual([profile, 1]);
    await page.keyboard.press("Control+Enter");
    await page.getByText("is now version 2").first().waitFor();
  });

  it("the agent reads the reason of a rejection, and a repetition of the edit is marked", async () => {
    const test = server();
    await putProfile(test);
    const id = await propose(test, "Likes: math", "Likes: music");
    const page = await test.open();
    await page.locator(rows).first().click();
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("r");
    await page.getByLabel("Reason for the agent").fill("She does not.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Rejected: the edit").first().waitFor();
    expect(await readProposal(test, id)).toMatchObject({
      status: "PROPOSAL_STATUS_REJECTED",
      decisionReason: "She does not.",
    });
    await propose(test, "Likes: math", "Likes: music");
    await page.locator(rows).filter({ hasText: "Repeats" }).click();
    await page.getByText("repeats a rejected proposal").waitFor();
  });

  it("undo restores the block, and says so if somebody has written since", async () => {
    const test = server();
    await putProfile(test);
    await propose(test, "Likes: math", "Likes: music");
    await propose(test, "physics", "chemistry");
    const page = await test.open();
    await page.locator(rows).first().click();
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("a");
    await page.getByText("is now version 2").first().waitFor();
    await page.keyboard.press("z");
    await page.getByText("Undone:").first().waitFor();
    expect(await profileNow(test)).toEqual([profile, 3]);

    await page.getByText("from version 3 to 4").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    await page.getByText("is now version 4").first().waitFor();
    await putProfile(test, "Somebody else wrote this");
    await page.keyboard.press("z");
    await page.getByText("Not undone: somebody has changed").first().waitFor();
    expect((await profileNow(test))[0]).toBe("Somebody else wrote this");
  });

  it("what was not seen is not approved: a changed text shows the new difference", async () => {
    const test = server();
    await putProfile(test);
    await propose(test, "Likes: math", "Likes: music");
    const page = await test.open();
    await page.locator(rows).first().click();
    await page.getByText("from version 1 to 2").waitFor();
    await putProfile(test, `${profile}\nA new line`);
    await page.keyboard.press("a");
    await page.getByText("The text changed while you looked").waitFor();
    expect((await profileNow(test))[1]).toBe(2);
    await page.getByText("from version 2 to 3").waitFor();
    expect(await page.getByTestId("diff").textContent()).toContain("A new line");
  });

  it("after a decision, edits that no longer apply become stale, and are rejected together", async () => {
    const test = server();
    await putProfile(test);
    await propose(test, "Likes: math", "Likes: music");
    for (const text of ["art", "chess", "sleep"])
      await propose(test, "Likes: math", `Likes: ${text}`);
    const page = await test.open();
    await page.locator(rows).first().click();
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("a");
    await page.getByText("Reject all 3 stale").waitFor();
    expect(await page.locator(rows).filter({ hasText: "Stale" }).count()).toBe(3);
    await page.getByText("Reject all 3 stale").click();
    await page.getByLabel("Reason for the agent").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("3 done, 0 failed").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).first().click();
    await page.getByText("Nothing waits").waitFor();
  });

  it("a conflict shows its three texts byte for byte", async () => {
    const test = server();
    await putProfile(test);
    const id = await propose(test, "Likes: math", "Likes: music");
    await putProfile(test, "Nothing  of it\tis left ");
    await test
      .call("ProposalService/ApproveProposal", { userId: "ada", id })
      .catch(() => undefined);
    const page = await test.open(`#/inbox/ada/${id}`);
    await page.getByText("At the time of the proposal").waitFor();
    const texts = await page.locator(".three-texts pre").allTextContents();
    expect(texts).toEqual([profile, "Nothing  of it\tis left ", profile.replace("math", "music")]);
  });
});

import { expect, it } from "vitest";
import { useConsole } from "./browser.js";

const server = useConsole();

const texts = [
  "<script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  "<svg onload=window.hit=1>",
  "javascript:window.hit=1",
  "\"><iframe srcdoc='<script>top.hit=1</script>'>",
  "{{constructor.constructor('window.hit=1')()}}",
  "$(window.hit=1)",
  "<a href=javascript:window.hit=1>x</a>",
  "</textarea><script>window.hit=1</script>",
  "<style>*{display:none}</style>",
  "<details open ontoggle=window.hit=1>",
  "<math><mtext><script>window.hit=1</script>",
  "&lt;b&gt; &amp; &#x3c;script&#x3e;",
  "'; DROP TABLE memories; --",
  "<base href=//evil.example>",
  "<meta http-equiv=refresh content=0;url=//evil.example>",
];

it("texts of others are shown as they are, and never run or load anything", async () => {
  const test = server();
  const ids: string[] = [];
  for (const [index, text] of texts.entries()) {
    const userId = `user ${index} ${text}`;
    const namespace = { userId, agentId: `agent ${text}` };
    await test.call("MemoryProvider/Add", {
      namespace,
      content: text,
      tags: [text],
      kind: text,
      source: text,
      author: text,
      metadata: { [text]: text },
    });
    await test.call("BlockService/PutBlock", { userId, label: text, title: text, body: text });
    const { proposal } = await test.call("MemoryProvider/ProposeEdit", {
      namespace,
      blockLabel: text,
      oldString: text,
      newString: `${text} ${text}`,
      reasoning: text,
    });
    ids.push((proposal as { readonly id: string }).id);
    await test.call("ThreadService/AppendTurns", {
      namespace,
      threadId: text,
      turns: [{ content: text, author: text }],
    });
    await test.call("KeyValueService/WriteKey", { runId: text, key: text, value: text });
  }
  const page = await test.open();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByText("● live").waitFor();
  await page
    .locator("[role=option]")
    .nth(texts.length - 1)
    .waitFor();
  for (const [index, text] of texts.entries()) {
    const user = encodeURIComponent(`user ${index} ${text}`);
    const agent = encodeURIComponent(`agent ${text}`);
    const id = encodeURIComponent(text);
    for (const place of [
      `#/inbox/${user}/${ids[index] ?? ""}`,
      `#/u/${user}`,
      `#/u/${user}/b/${id}`,
      `#/u/${user}/a/${agent}`,
      `#/u/${user}/a/${agent}/threads/${id}`,
      `#/runs/${id}`,
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.locator("main .text").filter({ hasText: text }).first().waitFor();
    }
  }
  expect(await page.evaluate("window.hit")).toBeUndefined();
  expect(
    asked.filter((url) => !url.startsWith(`${test.url}/`) && !url.startsWith("data:")),
  ).toEqual([]);
});

it("the page refuses to turn a text into markup or into a script", async () => {
  const test = server();
  const page = await test.open();
  await page.getByText("● live").waitFor();
  await page.evaluate(`(() => {
    for (const attempt of [
      () => { document.body.innerHTML = "<img src=x onerror=window.hit=1>"; },
      () => { document.body.append(Object.assign(document.createElement("script"), { text: "window.hit=1" })); },
      () => { document.body.setAttribute("onclick", "window.hit=1"); document.body.click(); },
    ]) try { attempt(); } catch {}
  })()`);
  expect(await page.evaluate("window.hit")).toBeUndefined();
  expect(test.faults.splice(0).length).toBeGreaterThan(0);
  await page.getByText("● live").waitFor();
});

it("hidden characters are tokens in lists and differences, and copying gives the original", async () => {
  const test = server();
  await test.call("BlockService/PutBlock", {
    userId: "ada",
    label: "profile",
    body: "Likes: math",
  });
  await test.call("MemoryProvider/ProposeEdit", {
    namespace: { userId: "ada", agentId: "tutor" },
    blockLabel: "profile",
    oldString: "math",
    newString: "\u202ehtam\u202c and\u200b tags\u{e0041}",
    reasoning: "Copied",
  });
  const page = await test.open();
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  const tokens = await page.evaluate(
    `[...document.querySelectorAll("ins [data-token]")].map((it) => it.dataset.token)`,
  );
  expect(tokens).toEqual(["U+202E", "U+202C", "U+200B", "U+E0041"]);
  const copied = await page.evaluate(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("ins.line"));
    return range.toString();
  })()`);
  expect(copied).toContain("Likes: \u202ehtam\u202c and\u200b tags\u{e0041}");
  await page.keyboard.press("a");
  await page.getByText("hidden characters come in").waitFor();
});

import { expect, it } from "vitest";
import { bySuite } from "../../suite.js";
import { useConsole } from "./browser.js";

const server = useConsole();

const allTexts = [
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
  "<body onload=window.hit=1>",
  "<input autofocus onfocus=window.hit=1>",
  "<video><source onerror=window.hit=1>",
  "<audio src=x onerror=window.hit=1>",
  "<marquee onstart=window.hit=1>",
  "<object data=javascript:window.hit=1>",
  "<embed src=javascript:window.hit=1>",
  "<form action=javascript:window.hit=1><button>x",
  "<button formaction=javascript:window.hit=1>x",
  "<isindex action=javascript:window.hit=1>",
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<iframe src=javascript:window.hit=1>",
  "<svg><animate onbegin=window.hit=1 attributeName=x>",
  "<svg><a xlink:href=javascript:window.hit=1><text>x",
  "<svg><use href=data:image/svg+xml,x#x>",
  "<svg><foreignObject><img src=x onerror=window.hit=1>",
  "<template><img src=x onerror=window.hit=1></template>",
  "<noscript><p title='</noscript><img src=x onerror=window.hit=1>'>",
  "<select><style></select><img src=x onerror=window.hit=1>",
  "<xmp><p title='</xmp><img src=x onerror=window.hit=1>'>",
  "<!--><img src=x onerror=window.hit=1>-->",
  "<![CDATA[<img src=x onerror=window.hit=1>]]>",
  "<?xml version='1.0'?><x onload=window.hit=1>",
  "' onmouseover=window.hit=1 x='",
  '" autofocus onfocus=window.hit=1 x="',
  "`-window.hit=1-`",
  `\${window.hit=1}`,
  "#{window.hit=1}",
  "<%= window.hit=1 %>",
  "{{= window.hit=1 }}",
  `[[\${window.hit=1}]]`,
  "[link](javascript:window.hit=1)",
  "![image](x onerror=window.hit=1)",
  "data:text/html,<script>window.hit=1</script>",
  "vbscript:window.hit=1",
  "JaVaScRiPt:window.hit=1",
  "java\tscript:window.hit=1",
  "\\u003cscript\\u003ewindow.hit=1\\u003c/script\\u003e",
  "%3Cscript%3Ewindow.hit=1%3C/script%3E",
  "+ADw-script+AD4-window.hit=1+ADw-/script+AD4-",
  "\u202e<script>window.hit=1</script>",
  "<scr\u200bipt>window.hit=1</script>",
  "a\u0000b<script>window.hit=1</script>",
  "../../../../etc/passwd?<script>window.hit=1</script>#x",
];

const texts = allTexts.slice(0, bySuite({ quick: 16, full: 60 }));

it("texts of others are shown as they are, and never run or load anything", async () => {
  const test = server();
  const ids: (readonly [proposal: string, memory: string])[] = [];
  for (const [index, text] of texts.entries()) {
    const userId = `user ${index} ${text}`;
    const namespace = { userId, agentId: `agent ${text}` };
    const added = await test.call("MemoryProvider/Add", {
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
    ids.push([(proposal as { readonly id: string }).id, String(added["id"])]);
    const rejected = await test.call("MemoryProvider/ProposeEdit", {
      namespace,
      blockLabel: text,
      append: text,
      reasoning: text,
    });
    const { id } = rejected["proposal"] as { readonly id: string };
    await test.call("ProposalService/RejectProposal", { userId, id, reason: text });
    await test.call("SkillService/StoreSkill", {
      namespace,
      context: text,
      lesson: text,
      toolName: text,
    });
    await test.call("ToolService/RegisterTool", {
      manifest: {
        toolId: text,
        version: "1",
        memoryAccess: [
          { memoryType: "MEMORY_TYPE_SEMANTIC", enabled: true, kinds: [text], tags: [text] },
        ],
      },
    });
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
  await page.locator(`[aria-setsize="${texts.length}"]`).first().waitFor();
  for (const [index, text] of texts.entries()) {
    const user = encodeURIComponent(`user ${index} ${text}`);
    const agent = encodeURIComponent(`agent ${text}`);
    const id = encodeURIComponent(text);
    const [proposal = "", memory = ""] = ids[index] ?? [];
    for (const place of [
      `#/inbox/${user}/${proposal}`,
      `#/decided?user=${user}`,
      `#/u/${user}`,
      `#/u/${user}/b/${id}`,
      `#/u/${user}/a/${agent}`,
      `#/u/${user}/a/${agent}/m/${memory}`,
      `#/u/${user}/a/${agent}/timeline`,
      `#/u/${user}/a/${agent}/search?q=${id}`,
      `#/u/${user}/a/${agent}/skills`,
      `#/u/${user}/a/${agent}/threads/${id}`,
      `#/runs/${id}`,
      "#/tools",
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.locator("main .text").filter({ hasText: text }).first().waitFor();
    }
  }
  expect(await page.evaluate("window.hit")).toBeUndefined();
  expect(
    asked.filter((url) => !url.startsWith(`${test.url}/`) && !url.startsWith("data:")),
  ).toEqual([]);
}, 400_000);

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

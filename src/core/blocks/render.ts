import { type Block, blockTitle } from "../model/block.js";
import { userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import { createPause } from "../requests/pause.js";
import { fenced } from "../text/fenced.js";
import { visibleName } from "../text/visible-text.js";
import type {
  BlockServiceParts,
  RenderBlocksQuery,
  RenderedBlock,
  RenderedBlocks,
} from "./service.js";

/** What precedes the blocks. It ends with an empty line, as each block does. */
const instructions =
  "# Memory blocks\n\n" +
  "These texts about the user are kept up to date. You cannot change them yourself: propose an " +
  "edit with propose_memory_edit, propose_memory_append or propose_memory_rewrite, and a person " +
  "decides. The label of a block is in parentheses. Quote its text exactly as it stands here.\n\n";

/** Maximum number of omitted labels in a reply. */
const omittedMax = 100;

/** Writes blocks into one text for a prompt. */
export async function renderBlocks(
  { store, tokens }: BlockServiceParts,
  query: RenderBlocksQuery,
  call: Call,
): Promise<RenderedBlocks> {
  const page = new PromptPage(tokens, query.budgetTokens);
  const missingLabels: string[] = [];
  const pause = createPause();
  await using snapshot = await store.snapshot(userScope(query.userId));
  for await (const [label, block] of blocksOf(snapshot, query)) {
    call.throwIfEnded();
    await pause();
    if (block === undefined) missingLabels.push(label);
    else await page.add(block);
  }
  return { ...page.finish(), missingLabels };
}

async function* blocksOf(
  snapshot: Snapshot,
  { userId, labels }: RenderBlocksQuery,
): AsyncGenerator<readonly [label: string, block: Block | undefined]> {
  const scope = userScope(userId);
  if (labels.length === 0) yield* snapshot.scan("blocks", scope);
  for (const label of new Set(labels)) yield [label, await snapshot.get("blocks", scope, label)];
}

/** A text that grows block by block, up to its budget. */
class PromptPage {
  readonly #blocks: RenderedBlock[] = [];
  readonly #omittedLabels: string[] = [];
  readonly #texts: string[] = [];
  #omittedCount = 0;
  #used = 0;
  /** Whether a block was cut or left out. No further block is added then. */
  #isFull = false;

  constructor(
    private readonly tokens: TokenCounter,
    private readonly budgetTokens: number,
  ) {}

  async add(block: Block): Promise<void> {
    if (!this.#isFull && this.#texts.length === 0) await this.#push(instructions);
    if (!this.#isFull && !(await this.#push(blockText(block, block.body), block)))
      await this.#addCut(block);
    if (this.#blocks.at(-1)?.label === block.label) return;
    this.#omittedCount++;
    if (this.#omittedLabels.length < omittedMax) this.#omittedLabels.push(block.label);
  }

  finish(): Omit<RenderedBlocks, "missingLabels"> {
    const hasBlocks = this.#blocks.length > 0;
    return {
      text: hasBlocks ? this.#texts.join("") : "",
      tokenCount: hasBlocks ? this.#used : 0,
      blocks: this.#blocks,
      omittedLabels: this.#omittedLabels,
      omittedCount: this.#omittedCount,
    };
  }

  /**
   * Adds a text if it fits. Texts end with an empty line and begin with another character, and a
   * line break never shares a token with what follows, so their tokens add up.
   */
  async #push(text: string, block?: Block, cut = false): Promise<boolean> {
    const count = await this.tokens.countInTurns(text);
    if (this.#used + count > this.budgetTokens) {
      this.#isFull = block === undefined || cut;
      return false;
    }
    this.#used += count;
    this.#texts.push(text);
    if (block !== undefined)
      this.#blocks.push({ label: block.label, version: block.version, tokens: count, cut });
    this.#isFull = cut;
    return true;
  }

  /** Adds as many of the first lines of a block as fit. */
  async #addCut(block: Block): Promise<void> {
    const lines = block.body.split(/(?<=\n)/);
    const cutText = (count: number) =>
      `${blockText(block, lines.slice(0, count).join(""))}(This block goes on. Read the rest ` +
      "with read_memory_block.)\n\n";
    let [fits, tooMany] = [0, lines.length];
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2);
      const count = await this.tokens.countInTurns(cutText(middle));
      if (this.#used + count <= this.budgetTokens) fits = middle;
      else tooMany = middle;
    }
    this.#isFull = true;
    if (fits > 0) await this.#push(cutText(fits), block, true);
  }
}

/** Returns a block with its heading. */
function blockText(block: Block, body: string): string {
  const title = visibleName(blockTitle(block.label, block));
  return `## ${title} (${visibleName(block.label)})\n${fenced(body)}\n`;
}

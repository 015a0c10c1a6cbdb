import type { TokenCounter } from "../ports/token-counter.js";
import { omissionsListedMax } from "../search/pack/pack.js";
import type { SectionFrame } from "./formats.js";
import type { BuiltSection, ContextItem, ContextOmission, SectionKind } from "./service.js";

/** Marks the cut of an item that does not fit. */
const cutMark = "[…]";

/** A section so far. Items are added while they fit. */
export class SectionText {
  readonly #items: (ContextItem & { readonly text: string })[] = [];
  readonly #omitted: ContextOmission[] = [];
  #omittedCount = 0;
  #rest: number;

  /** @param cap maximum number of tokens of the section with its frame */
  constructor(
    private readonly kind: SectionKind,
    private readonly frame: SectionFrame,
    private readonly counter: TokenCounter,
    cap: number,
  ) {
    this.#cap = cap;
    this.#rest = cap - counter.count(frame.open) - counter.count(frame.close);
  }

  readonly #cap: number;

  /** Number of tokens that are left for items. */
  get rest(): number {
    return this.#rest;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Adds an item if it fits, and returns whether it does. `tokensMin` is a lower bound. */
  async add(id: string, text: string, tokensMin = 0): Promise<boolean> {
    if (tokensMin > this.#rest) return false;
    const tokens = await this.counter.countInTurns(text);
    if (tokens > this.#rest) return false;
    this.#push({ id, tokens, excerpted: false, text });
    return true;
  }

  /**
   * Adds the beginning of an item that does not fit: whole lines if one fits. Returns false if
   * nothing fits.
   *
   * @param write returns the text of the item with a part of its content
   */
  async addCut(id: string, content: string, write: (part: string) => string): Promise<boolean> {
    for (let maxTokens = this.#rest; maxTokens > 0; ) {
      const part = await this.counter.truncateInTurns(content, maxTokens);
      const lines = part.slice(0, part.lastIndexOf("\n") + 1);
      const kept = lines.trim() === "" ? part : lines;
      if (kept.trim() === "") return false;
      const text = write(`${kept.trimEnd()}\n${cutMark}`);
      const tokens = await this.counter.countInTurns(text);
      if (tokens <= this.#rest) {
        this.#push({ id, tokens, excerpted: true, text });
        return true;
      }
      maxTokens -= tokens - this.#rest;
    }
    return false;
  }

  #push(item: ContextItem & { readonly text: string }): void {
    this.#items.push(item);
    this.#rest -= item.tokens;
  }

  /** Notes an item that was left out because it did not fit. */
  omit(id: string, tokens: number): void {
    if (this.#omitted.length < omissionsListedMax)
      this.#omitted.push({ id, tokens, reason: "OVER_BUDGET" });
    else this.#omittedCount += 1;
  }

  /** Counts items that were left out and are not known by their names. */
  omitUnnamed(count: number): void {
    this.#omittedCount += count;
  }

  /** Returns the section. `reverse`: the last item that was added comes first. */
  async build({ reverse = false }: { readonly reverse?: boolean } = {}): Promise<BuiltSection> {
    const { kind, frame, counter } = this;
    const receipt = { kind, omitted: this.#omitted, omittedCount: this.#omittedCount };
    for (; this.#items.length > 0; this.#dropLast()) {
      const items = reverse ? this.#items.toReversed() : this.#items;
      const text = frame.open + items.map((item) => item.text).join("") + frame.close;
      // Where two texts meet, tokens can join or part. So the sum of the parts may be off by a few.
      const tokens = await counter.countInTurns(text);
      if (tokens <= this.#cap) return { ...receipt, text, tokens, items: items.map(withoutText) };
    }
    return { ...receipt, text: "", tokens: 0, items: [] };
  }

  #dropLast(): void {
    const last = this.#items.pop();
    if (last !== undefined) this.omit(last.id, last.tokens);
  }
}

function withoutText({ id, tokens, excerpted }: ContextItem): ContextItem {
  return { id, tokens, excerpted };
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../suite.js";
import { call } from "../search/searching.js";
import { createWorkshop, type Workshop } from "./proposing.js";

const namespace = { userId: "u1", agentId: "a1" };
const label = "block";

/** A block as a string, with the edits that wait and all texts that it has had. */
interface Model {
  text: string;
  readonly versions: string[];
  readonly waiting: {
    readonly id: string;
    readonly old: string;
    readonly new: string;
    readonly all: boolean;
  }[];
}

/** The text with an edit applied, worked out the slow way; `undefined`: it cannot be. */
function edited(text: string, old: string, replacement: string, all: boolean): string | undefined {
  const places = Array.from({ length: text.length }, (_, i) => i).filter((i) =>
    text.startsWith(old, i),
  );
  if (places.length === 0 || (places.length > 1 && !all)) return undefined;
  let result = "";
  for (let i = 0; i < text.length; ) {
    const matches = text.startsWith(old, i);
    result += matches ? replacement : text.charAt(i);
    i += matches ? old.length : 1;
  }
  return result;
}

type Step = (workshop: Workshop, model: Model) => Promise<void>;

function write(model: Model, text: string): void {
  model.text = text;
  model.versions.push(text);
}

// Few and odd pieces, so that edits match, overlap, miss and look special.
const piece = fc.constantFrom(
  "a",
  "aa",
  "b",
  "ab",
  "$&",
  "$1",
  "\\",
  "\r\n",
  "\n",
  "é",
  "e\u0301",
  "🧠",
  "👩‍👧",
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

const put = text.map(
  (body): Step =>
    async ({ blocks }, model) => {
      await blocks.put({ userId: namespace.userId, label, body, writtenBy: "kim" });
      write(model, body);
    },
);

const propose = fc.tuple(piece, text, fc.boolean()).map(
  ([old, replacement, all]): Step =>
    async ({ proposals }, model) => {
      const edit = {
        namespace,
        target: { kind: "block", label },
        reasoning: "why",
        oldString: old,
        newString: replacement,
        replaceAll: all,
      } as const;
      if (old === replacement || edited(model.text, old, replacement, all) === undefined) {
        await expect(proposals.propose(edit)).rejects.toMatchObject({ name: "VademecumError" });
      } else {
        const { proposal } = await proposals.propose(edit);
        model.waiting.push({ id: proposal.id, old, new: replacement, all });
      }
    },
);

const approve = fc.tuple(fc.nat(), fc.option(text, { nil: undefined })).map(
  ([choice, editedNewString]): Step =>
    async ({ proposals }, model) => {
      const [edit] =
        model.waiting.length === 0 ? [] : model.waiting.splice(choice % model.waiting.length, 1);
      if (edit === undefined || editedNewString === edit.old) return;
      const input = {
        userId: namespace.userId,
        id: edit.id,
        decidedBy: "kim",
        ...(editedNewString === undefined ? {} : { editedNewString }),
      };
      const result = edited(model.text, edit.old, editedNewString ?? edit.new, edit.all);
      if (result === undefined) {
        await expect(proposals.approve(input, call)).rejects.toMatchObject({
          reason: "PROPOSAL_CONFLICTED",
        });
        expect(await proposals.get(namespace.userId, edit.id)).toMatchObject({
          conflict: { currentText: model.text },
        });
      } else {
        write(model, result);
        const approved = { block: { body: result, version: model.versions.length } };
        expect(await proposals.approve(input, call)).toMatchObject(approved);
        expect(await proposals.approve(input, call), "again").toMatchObject(approved);
      }
    },
);

const reject = fc.nat().map(
  (choice): Step =>
    async ({ proposals }, model) => {
      const [edit] =
        model.waiting.length === 0 ? [] : model.waiting.splice(choice % model.waiting.length, 1);
      if (edit !== undefined)
        await proposals.reject({
          userId: namespace.userId,
          id: edit.id,
          reason: "",
          decidedBy: "kim",
        });
    },
);

const restore = fc.nat().map(
  (choice): Step =>
    async ({ blocks }, model) => {
      const version = (choice % model.versions.length) + 1;
      const restored = model.versions[version - 1] ?? "";
      expect(
        await blocks.restore({ userId: namespace.userId, label, version, writtenBy: "kim" }),
      ).toMatchObject({ body: restored });
      write(model, restored);
    },
);

describe("a block", () => {
  it("row 4.9 to 4.13: is, after any proposals, decisions and direct edits, the text that the approved edits make of it in order; each version can be restored", async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: put },
      { weight: 4, arbitrary: propose },
      { weight: 4, arbitrary: approve },
      reject,
      restore,
    );
    await fc.assert(
      fc.asyncProperty(put, fc.array(step, { maxLength: 40 }), async (first, steps) => {
        const workshop = createWorkshop();
        const model: Model = { text: "", versions: [], waiting: [] };
        for (const run of [first, ...steps]) await run(workshop, model);
        expect(await workshop.blocks.get(namespace.userId, label)).toMatchObject({
          body: model.text,
          version: model.versions.length,
        });
        const { items } = await workshop.blocks.listVersions(
          { userId: namespace.userId, label, limit: 1000, pageToken: "" },
          call,
        );
        expect(items.map(({ body }) => body).reverse()).toEqual(model.versions);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

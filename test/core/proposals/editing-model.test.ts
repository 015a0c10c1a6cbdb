import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../suite.js";
import { call } from "../search/search-service.js";
import { createWorkshop, type Workshop } from "./proposal-workshop.js";

const namespace = { userId: "u1", agentId: "a1" };
const label = "block";

/** A block as a string, with its pending edits and the texts of all its versions. */
interface Model {
  text: string;
  readonly versions: string[];
  readonly pending: {
    readonly id: string;
    readonly old: string;
    readonly new: string;
    readonly all: boolean;
  }[];
}

/** Applies an edit by a naive algorithm. Returns `undefined` if the edit does not apply. */
function applyNaively(
  text: string,
  old: string,
  replacement: string,
  all: boolean,
): string | undefined {
  const positions = Array.from({ length: text.length }, (_, i) => i).filter((i) =>
    text.startsWith(old, i),
  );
  if (positions.length === 0 || (positions.length > 1 && !all)) return undefined;
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

// A few unusual pieces, so that edits match, overlap, miss and contain special characters.
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
      if (old === replacement || applyNaively(model.text, old, replacement, all) === undefined) {
        await expect(proposals.propose(edit)).rejects.toMatchObject({ name: "VademecumError" });
      } else {
        const { proposal } = await proposals.propose(edit);
        model.pending.push({ id: proposal.id, old, new: replacement, all });
      }
    },
);

const approve = fc.tuple(fc.nat(), fc.option(text, { nil: undefined })).map(
  ([choice, editedNewString]): Step =>
    async ({ proposals }, model) => {
      const [edit] =
        model.pending.length === 0 ? [] : model.pending.splice(choice % model.pending.length, 1);
      if (edit === undefined || editedNewString === edit.old) return;
      const input = {
        userId: namespace.userId,
        id: edit.id,
        decidedBy: "kim",
        ...(editedNewString === undefined ? {} : { editedNewString }),
      };
      const result = applyNaively(model.text, edit.old, editedNewString ?? edit.new, edit.all);
      if (result === undefined) {
        await expect(proposals.approve(input, call)).rejects.toMatchObject({
          reason: "PROPOSAL_CONFLICTED",
        });
        expect(await proposals.get(namespace, edit.id)).toMatchObject({
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
        model.pending.length === 0 ? [] : model.pending.splice(choice % model.pending.length, 1);
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
      ).toMatchObject({ block: { body: restored } });
      write(model, restored);
    },
);

describe("a block after any sequence of writes, proposals and decisions", () => {
  it("a block has the text and the versions that result from its writes and approved edits", async () => {
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
        const model: Model = { text: "", versions: [], pending: [] };
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

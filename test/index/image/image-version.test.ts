import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Memory } from "../../../src/core/model/memory.js";
import type { Row } from "../../../src/core/ports/search-index.js";
import { imageVersion } from "../../../src/index/image/image-format.js";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { RowTraitColumns } from "../../../src/index/rows/row-trait-columns.js";
import { analyzeText } from "../../../src/index/rows/text-analysis.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { filledNamespaces } from "../../search-reference/namespaces.js";

/** Texts in other languages and scripts than those of the corpus. */
const otherTexts = [
  "Wir treffen uns am 3. Mai um 18:30 Uhr in München, übernächste Straße links.",
  "El próximo martes viajamos a Bogotá con 1.250 euros y tres maletas.",
  "Demain matin, les élèves mangeront des pommes à l'école de Saint-Étienne.",
  "Sáng mai chúng tôi sẽ ăn phở ở Hà Nội với những người bạn cũ.",
  "c.once.Do(func() { err = c.conn.Close(); close(c.closed) }); return c.err",
  "明日の午前九時に東京駅で会いましょう。",
  "我们下周三在上海开会，预算是两千元。",
  "Завтра в 10:15 мы поедем в Казань на поезде №42.",
  "غدا سنسافر إلى القاهرة في الساعة الثامنة.",
  "In the third quarter of 2025, in week 12 of 2025, and on the 3rd, 4th and 5th of May: Q1 2026.",
  "build v1.2.3-rc.4 of user_id=42 at /api/v1/items?id=0x1F failed with ERR_TIMEOUT",
];

/** The version of images, and the hash of the analysis that images of this version contain. */
const known = {
  version: 7,
  hash: "827d6ac305856fca017361ef04703d09ebc813bce2c34de1b8a02e0b92c455ef",
};

test("a change of the analysis of texts changes the version of images", () => {
  const memories: readonly Memory[] = [
    ...filledNamespaces(() => 30).flatMap(({ memories: all }) => all.slice(0, 100)),
    ...otherTexts.map((text, at) => sampleMemory(`o${at}`, text, { threadId: "t" })),
  ];
  const analyzer = createAnalyzer();
  const traits = new RowTraitColumns();
  const hash = createHash("sha256");
  for (const [at, memory] of memories.entries()) {
    const row = at as Row;
    const { terms, wordSignature } = analyzeText(analyzer, memory);
    traits.set(row, memory, 0);
    traits.setText(row, memory, terms.language);
    hash.update(JSON.stringify([terms, wordSignature, traits.marks[row], traits.times(row)]));
    hash.update(memoryRecords.encode(memory));
  }
  // If this fails, images of before would give other answers than an index that is derived anew:
  // raise `imageVersion`, and write the new version and hash here.
  expect({ version: imageVersion, hash: hash.digest("hex") }).toEqual(known);
});

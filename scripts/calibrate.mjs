// Measures the calibration of each search method. A calibration says which relevance belongs to
// which score: `node scripts/calibrate.mjs`. Uses the texts in models/calibration.
// Exits with 1 if a calibration differs from the one in the source code.
//
// docs/reference/relevance.md explains the figures. `vademecum calibrate` measures them for your
// own model.
import { importSource } from "./compile.mjs";

const { callerCalibration, keywordCalibration } =
  /** @type {typeof import("../src/core/vectors/calibration.js")} */ (
    await importSource("src/core/vectors/calibration.ts")
  );
const { openMiniLmEmbedder } =
  /** @type {typeof import("../src/embed/minilm/minilm-embedder.js")} */ (
    await importSource("src/embed/minilm/minilm-embedder.ts")
  );
const { openStaticEmbedder } =
  /** @type {typeof import("../src/embed/static/static-embedder.js")} */ (
    await importSource("src/embed/static/static-embedder.ts")
  );
const { measureCalibration } =
  /** @type {typeof import("../src/index/calibration/measure-calibration.js")} */ (
    await importSource("src/index/calibration/measure-calibration.ts")
  );
const { bundledModel, calibrationTexts, miniLmModel } =
  /** @type {typeof import("../src/server/open-embedder.js")} */ (
    await importSource("src/server/open-embedder.ts")
  );

const local = await openStaticEmbedder({ folder: bundledModel });
await report("keywords alone", keywordCalibration, local);
await report(`keywords and ${local.modelId}`, local.calibration, local);
await report(
  "keywords and callers' vectors, taken to be like the bundled model's",
  callerCalibration,
  local,
);
const miniLm = await openMiniLmEmbedder({
  folder: miniLmModel,
  wordPieces: local.wordPieces,
  log: () => {},
});
await report(`keywords and ${miniLm.modelId}`, miniLm.calibration, miniLm);
await miniLm.close();

/**
 * Measures and prints the calibration of a search method. Also prints the relevance that pairs of
 * texts have with this calibration.
 * @param {string} name The name of the search method.
 * @param {typeof keywordCalibration} stored The calibration in the source code. The measurement
 *   uses the weight of the vector score in it.
 * @param {import("../src/core/ports/embedder.js").Embedder} embedder
 */
async function report(name, stored, embedder) {
  const { calibration, figures } = await measureCalibration(
    embedder,
    calibrationTexts,
    stored.vectorWeight,
    new AbortController().signal,
  );
  console.log(`\n${name}: ${JSON.stringify(calibration)}`);
  for (const { pairs, meanScore, relevance } of figures) {
    const quantiles = relevance.map((value) => value.toFixed(2)).join(" / ");
    console.log(
      `  ${pairs.padEnd(22)} mean score ${meanScore.toFixed(3)}, relevance at the 5th / 50th / 95th percentile: ${quantiles}`,
    );
  }
  if (
    calibration.randomScore === stored.randomScore &&
    calibration.paraphraseScore === stored.paraphraseScore
  )
    return;
  console.log(`  stored: ${JSON.stringify(stored)}`);
  process.exitCode = 1;
}

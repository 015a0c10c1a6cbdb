// Measures the calibration of each search method. A calibration says which relevance belongs to
// which score: `npm run build && node scripts/calibrate.mjs`. Uses the texts in models/calibration.
// Exits with 1 if a calibration differs from the one in the source code.
//
// docs/calibration.md explains the figures. `vademecum calibrate` measures them for your own model.
import { join } from "node:path";
import { callerCalibration, keywordCalibration } from "#dist/core/vectors/calibration.js";
import { openStaticEmbedder } from "#dist/embed/static/static-embedder.js";
import { measureCalibration } from "#dist/index/calibration/measure-calibration.js";
import { calibrationTexts, modelsFolder } from "#dist/server/open-embedder.js";

const embedder = await openStaticEmbedder({ folder: join(modelsFolder, "static-256") });
await report("keywords alone", keywordCalibration);
await report(`keywords and ${embedder.modelId}`, embedder.calibration);
await report(
  "keywords and callers' vectors, taken to be like the bundled model's",
  callerCalibration,
);

/**
 * Measures and prints the calibration of a search method. Also prints the relevance that pairs of
 * texts have with this calibration.
 * @param {string} name The name of the search method.
 * @param {typeof keywordCalibration} stored The calibration in the source code. The measurement
 *   uses the weight of the vector score in it.
 */
async function report(name, stored) {
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

import { Command, InvalidArgumentError } from "commander";
import { readCalibrateConfig } from "../config/config.js";
import { calibrateSettings } from "../config/server-settings.js";
import type { StoredCalibration } from "../server/calibrate-embedder.js";
import { type CommandIo, printLine } from "./command-io.js";
import { decimalNumber } from "./option-values.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum calibrate --embedder onnx --onnx-model ./e5-small
  $ VADEMECUM_OPENAI_KEY=… vademecum calibrate --embedder openai --data ./data

Embeds the 540 texts that come with Vademecum, and stores the measured figures in the model's folder
(onnx) or in the data folder (openai). A server with the same settings reads them when it starts.
Vectors do not change.`;

/**
 * The default weight of the vector score. The rest of a score comes from keywords
 * (docs/reference/relevance.md).
 */
const defaultVectorWeight = 0.4;

/**
 * Creates the command `calibrate`, which measures what the scores of an embedding model mean.
 *
 * Relevance is calibrated for the bundled model, and for each model that this command has measured.
 */
export function calibrateCommand(io: CommandIo): Command {
  const command = new Command("calibrate")
    .description(
      "Calibrate relevance for an embedding model, so that the same min_relevance works for this " +
        "model and for the bundled model.",
    )
    .option(
      "--vector-weight <share>",
      "Weight of the vectors, above 0 and at most 1. The rest is the weight of the keywords.",
      share,
      defaultVectorWeight,
    )
    .option("--json", "Print the figures as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, calibrateSettings);
  return command.action(async () => {
    const config = readCalibrateConfig(readFlagTexts(command, calibrateSettings), io.environment);
    const { vectorWeight, json } = command.opts<{ vectorWeight: number; json?: boolean }>();
    // A dynamic import, because most commands need no model.
    const { calibrateEmbedder } = await import("../server/calibrate-embedder.js");
    const report = await calibrateEmbedder(config, vectorWeight);
    await printLine(io.stdout, json === true ? JSON.stringify(report) : reportText(report));
  });
}

function share(text: string): number {
  const value = decimalNumber(text);
  if (value <= 0 || value > 1) throw new InvalidArgumentError("It must be above 0 and at most 1.");
  return value;
}

function reportText({ modelId, calibration, figures, file }: StoredCalibration): string {
  const { vectorWeight, randomScore, paraphraseScore } = calibration;
  const rows = figures.map(({ pairs, meanScore, relevance }) => {
    const quantiles = relevance.map((value) => value.toFixed(2)).join(" / ");
    const mean = `mean score ${meanScore.toFixed(3)}`;
    return `  ${pairs.padEnd(24)} ${mean}, relevance at the 5th / 50th / 95th percentile: ${quantiles}`;
  });
  const scores = `relevance 0 at score ${randomScore}, 1 at score ${paraphraseScore}`;
  return `${modelId}: vector weight ${vectorWeight}, ${scores}

${rows.join("\n")}

Stored in ${file}. A server reads it when it starts.`;
}

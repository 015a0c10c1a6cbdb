import { Command, InvalidArgumentError } from "commander";
import { calibrateSettings, readCalibrateConfig } from "../config/config.js";
import type { KeptCalibration } from "../server/calibrate-embedder.js";
import { type CommandIo, printLine } from "./command-io.js";
import { decimalNumber } from "./option-values.js";
import { addSettings, givenFlags } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum calibrate --embedder onnx --onnx-model ./all-MiniLM-L6-v2
  $ VADEMECUM_OPENAI_KEY=… vademecum calibrate --embedder openai --data ./data

Embeds the 540 texts that come with Vademecum, and keeps the figures in the model's folder (onnx) or in the
data folder (openai). A server with the same settings takes them when it starts next; vectors do not change.`;

/** Share of the vector score for a model of which nothing better is known; where it comes from: docs/embedders.md. */
const defaultVectorWeight = 0.4;

/** `calibrate`: measures what the scores of an embedding model mean, so that relevance means the same with it as with any other. */
export function calibrateCommand(io: CommandIo): Command {
  const command = new Command("calibrate")
    .description(
      "Measure what the scores of an embedding model mean, so that min_relevance means the same with every model.",
    )
    .option(
      "--vector-weight <share>",
      "Share of the vector score in the score, above 0 and at most 1; keywords have the rest.",
      share,
      defaultVectorWeight,
    )
    .option("--json", "Print the figures as one line of JSON.")
    .addHelpText("after", examples);
  addSettings(command, calibrateSettings);
  return command.action(async () => {
    const config = readCalibrateConfig(givenFlags(command, calibrateSettings), io.environment);
    const { vectorWeight, json } = command.opts<{ vectorWeight: number; json?: boolean }>();
    // Loaded here: the other commands need no model.
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

function reportText({ modelId, calibration, figures, file }: KeptCalibration): string {
  const { vectorWeight, randomScore, paraphraseScore } = calibration;
  const rows = figures.map(({ pairs, meanScore, relevance }) => {
    const quantiles = relevance.map((value) => value.toFixed(2)).join(" / ");
    return `  ${pairs.padEnd(24)} mean score ${meanScore.toFixed(3)}, relevance at 5 / 50 / 95 %: ${quantiles}`;
  });
  return `${modelId}: vector weight ${vectorWeight}, relevance 0 at score ${randomScore}, 1 at score ${paraphraseScore}

${rows.join("\n")}

Kept in ${file}. A server takes it when it starts next.`;
}

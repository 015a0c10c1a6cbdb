import { type JsonFaults, scanJson } from "../../core/text/scan-json.js";
import { elementsExcess, elementsMax, levelsExcess, levelsMax } from "../../edge/wire-elements.js";

const limits = { elements: elementsMax, levels: levelsMax };

/** The faults of a JSON message, with the excess in words. */
export type MessageFaults = Omit<JsonFaults, "excess"> & { readonly excess?: string };

/** Scans a JSON message before it is parsed. */
export function scanMessage(json: Uint8Array): MessageFaults {
  const { excess, ...faults } = scanJson(json, limits);
  if (excess === undefined) return faults;
  return { ...faults, excess: excess === "levels" ? levelsExcess : elementsExcess };
}

/** Returns what a JSON text has too much of; `undefined` if it is simple enough to be parsed. */
export function jsonExcess(json: Uint8Array): string | undefined {
  return scanMessage(json).excess;
}

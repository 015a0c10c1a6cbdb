import {
  connectionSettings,
  mcpSettings,
  moveSettings,
  namespaceSettings,
  runSettings,
} from "./client-settings.js";
import type { Environment } from "./config.js";
import { calibrateSettings, serverSettings } from "./server-settings.js";
import { environmentName } from "./setting.js";
import { testingSettings } from "./testing-settings.js";

/** A variable whose name begins with `VADEMECUM_`, but that sets nothing. */
export interface UnknownVariable {
  readonly variable: string;
  /** The variable with the most similar name. */
  readonly nearest: string;
}

/** Variables that no setting has: those of tests, and those that Kubernetes sets for services. */
const otherNames = /^VADEMECUM_TEST_|_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT(?:_\d+_|$)/;

/** Returns the variables of this product's names that no setting reads. */
export function unknownVariables(environment: Environment): readonly UnknownVariable[] {
  const known = knownNames();
  return Object.keys(environment)
    .filter((name) => name.startsWith("VADEMECUM_") && !otherNames.test(name) && !known.has(name))
    .map((variable) => ({ variable, nearest: nearestOf(variable, known) }));
}

function knownNames(): ReadonlySet<string> {
  const settings = {
    ...{ ...serverSettings, ...calibrateSettings, ...connectionSettings, ...moveSettings },
    ...{ ...namespaceSettings, ...runSettings, ...mcpSettings, ...testingSettings },
  };
  return new Set(Object.values(settings).map(({ flag }) => environmentName(flag)));
}

function nearestOf(name: string, known: ReadonlySet<string>): string {
  const [nearest = ""] = [...known]
    .map((other) => [other, distance(name, other)] as const)
    .sort(([, a], [, b]) => a - b)
    .map(([other]) => other);
  return nearest;
}

/** Returns how many characters to insert, delete or replace to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, character] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + Number(character !== other);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

import {
  connectionSettings,
  mcpSettings,
  moveSettings,
  namespaceSettings,
  runSettings,
} from "./client-settings.js";
import type { Environment } from "./config.js";
import { configFileChoice } from "./config-file.js";
import { contextChoice } from "./contexts.js";
import { nearestName } from "./nearest-name.js";
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
    .map((variable) => ({ variable, nearest: nearestName(variable, known) }));
}

function knownNames(): ReadonlySet<string> {
  const settings = {
    ...{ ...serverSettings, ...calibrateSettings, ...connectionSettings, ...moveSettings },
    ...{ ...namespaceSettings, ...runSettings, ...mcpSettings, ...testingSettings },
    ...{ ...contextChoice, ...configFileChoice },
  };
  return new Set(Object.values(settings).map(({ flag }) => environmentName(flag)));
}

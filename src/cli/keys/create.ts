import { Command, InvalidArgumentError, Option } from "commander";
import { type Role, roles } from "../../core/model/principal.js";
import { addPrincipal, type KeyChange } from "../../credentials/change-credentials.js";
import type { StoredPrincipal } from "../../credentials/credentials.js";
import type { CommandIo } from "../command-io.js";
import { keyLifetime } from "../option-values.js";
import { addCredentialsOption, changeCredentials, credentialsPath } from "./credentials-option.js";
import {
  collectCertificateNames,
  collectPatterns,
  parsePrincipalName,
  parseTenantName,
} from "./grant-values.js";
import { addKeyOutput, type KeyOutput, openKeyPlace, printKey } from "./print-key.js";

const examples = `
Examples:
  $ export VADEMECUM_CREDENTIALS=/etc/vademecum/credentials.json
  $ vademecum keys create assistant --role writer --user 'ann' --agent '*' --run '*' --output assistant.key
  $ vademecum keys create reviewer --role approver --user '*' --agent '*' --expires 90d

A pattern is a whole id, or the beginning of an id followed by one *. Ids that match no pattern are
not allowed. The server accepts the new key within 5 seconds.`;

interface CreateOptions extends KeyOutput {
  readonly role: readonly Role[];
  readonly user?: readonly string[];
  readonly agent?: readonly string[];
  readonly run?: readonly string[];
  readonly tool?: readonly string[];
  readonly certificate?: readonly string[];
  readonly tenant?: string;
  readonly expires?: number;
}

/** Creates the command `keys create`, which adds a principal and prints its key once. */
export function createKeyCommand(io: CommandIo): Command {
  const command = new Command("create")
    .argument(
      "<name>",
      "The name of the principal, 1 to 64 letters, digits and . _ -",
      parsePrincipalName,
    )
    .description("Add a principal with an API key, and print the key once.")
    .addOption(roleOption())
    .option(
      "--user <pattern>",
      "The users whose data it reaches. Can be repeated.",
      collectPatterns,
    )
    .option(
      "--agent <pattern>",
      "The agents whose data it reaches. Can be repeated.",
      collectPatterns,
    )
    .option("--run <pattern>", "The runs whose notes it reaches. Can be repeated.", collectPatterns)
    .option(
      "--tool <pattern>",
      "For the role tool: the tools in whose name it may call. Can be repeated.",
      collectPatterns,
    )
    .option(
      "--certificate <name>",
      "A URI or DNS name. A client certificate with it authenticates the principal. Can be repeated.",
      collectCertificateNames,
    )
    .option(
      "--tenant <name>",
      "The tenant whose data it reaches. Default: data without a tenant.",
      parseTenantName,
    )
    .option(
      "--expires <duration>",
      "How long the key works, such as 90d, or never. Default: never.",
      keyLifetime,
    )
    .addHelpText("after", examples);
  addKeyOutput(command);
  addCredentialsOption(command);
  return command.action(async (name: string) => {
    const options = command.opts<CreateOptions>();
    const times = { nowMs: Date.now(), lifetimeMs: options.expires };
    let made: KeyChange | undefined;
    const path = credentialsPath(command, io);
    const place = await openKeyPlace(io, options.output);
    await changeCredentials(path, (credentials) => {
      made = addPrincipal(credentials, principalOf(name, options), times);
      return made.credentials;
    }).catch(async (error: unknown) => {
      await place.discard();
      throw error;
    });
    if (made !== undefined) await printKey(io, place, name, made, options);
  });
}

function roleOption(): Option {
  return new Option("--role <role>", `A role: ${roles.join(", ")}. Required. Can be repeated.`)
    .argParser((text, previous: readonly Role[] | undefined) => {
      const role = roles.find((name) => name === text);
      if (role === undefined)
        throw new InvalidArgumentError(`It must be one of: ${roles.join(", ")}.`);
      return [...(previous ?? []), role];
    })
    .makeOptionMandatory();
}

function principalOf(name: string, options: CreateOptions): StoredPrincipal {
  const { role, user = [], agent = [], run = [], tool = [], certificate = [], tenant } = options;
  return {
    name,
    roles: role,
    users: user,
    agents: agent,
    runs: run,
    tools: tool,
    ...(tenant === undefined ? {} : { tenant }),
    certificates: [...new Set(certificate)],
  };
}

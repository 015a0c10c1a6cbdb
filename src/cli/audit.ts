import { Command } from "commander";
import { showAuditCommand } from "./audits/show.js";
import { verifyAuditCommand } from "./audits/verify.js";
import type { CommandIo } from "./command-io.js";

const examples = `
Examples:
  $ vademecum audit verify --data /var/lib/vademecum
  $ vademecum audit show --user ann`;

/** Creates the command `audit`, which reads the audit trail of a server. */
export function auditCommand(io: CommandIo): Command {
  const command = new Command("audit").description(
    "Check and read the audit trail in a data folder. The server may run.",
  );
  command.addCommand(verifyAuditCommand(io)).addCommand(showAuditCommand(io));
  return command.addHelpText("after", examples);
}

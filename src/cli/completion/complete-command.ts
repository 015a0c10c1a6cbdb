/** The command that completion scripts call, with the words up to the cursor. Not in the help. */
export const completeCommandName = "__complete";

import type { ConsoleTest } from "./browser.js";

export const profile = "Name: Ada\nLikes: math\nGoal: a degree in physics";
const space = { userId: "ada", agentId: "tutor" };

/** Writes the block `profile` of Ada. */
export async function putProfile({ call }: ConsoleTest, body = profile): Promise<void> {
  await call("BlockService/PutBlock", { userId: "ada", label: "profile", body });
}

/** Proposes to replace a text in the block `profile`, and returns the id of the proposal. */
export async function propose(
  { call }: ConsoleTest,
  oldString: string,
  newString: string,
  more: object = {},
): Promise<string> {
  const { proposal } = await call("MemoryProvider/ProposeEdit", {
    namespace: space,
    blockLabel: "profile",
    oldString,
    newString,
    reasoning: "She said so",
    ...more,
  });
  return String((proposal as { readonly id: string }).id);
}

/** Returns the text and the version of the block `profile`. */
export async function profileNow({ call }: ConsoleTest): Promise<[string, number]> {
  const { block } = await call("BlockService/GetBlock", { userId: "ada", label: "profile" });
  const { body, version } = block as { readonly body: string; readonly version: string };
  return [body, Number(version)];
}

/** Returns a proposal as the agent reads it. */
export async function readProposal({ call }: ConsoleTest, id: string): Promise<object> {
  const { proposal } = await call("ProposalService/GetProposal", { userId: "ada", id });
  return proposal as object;
}

// An agent that remembers over two runs, and asks before it edits: `agent.mjs ADDRESS`.
// In a project of your own, the imports are from "vademecum-client" and "vademecum-client/v1/...".
import { connect } from "../../clients/typescript/dist/index.js";
import { MemoryType } from "../../clients/typescript/gen/vademecum/v1/memory_pb.js";
import { ProposalStatus } from "../../clients/typescript/gen/vademecum/v1/proposal_pb.js";

const [user, agent] = ["ada", "guide"];

for (const run of [firstRun, person, secondRun]) {
  const client = connect(process.argv[2]);
  await run(client);
  client.close();
}

async function firstRun(client) {
  const memories = client.memories(user, agent);
  const { text } = await memories.recall({ query: "What does Ada drink?", budgetTokens: 100 });
  say(`Run 1: ${text || "nothing is remembered yet"}`);

  const fact = "Ada prefers dry red wine";
  await memories.add({ content: fact, memoryType: MemoryType.SEMANTIC, tags: ["wine"] });
  say(`Run 1: remembers that ${fact}`);

  const blocks = client.blocks(user);
  await blocks.putBlock({ label: "profile", body: "Ada lives in Lyon." });
  await memories.proposeEdit({
    target: { case: "blockLabel", value: "profile" },
    oldString: "Lyon",
    newString: "Dijon",
    reasoning: "She says that she has moved",
  });
  say("Run 1: proposes an edit of the profile");
  const { block } = await blocks.getBlock({ label: "profile" });
  say(`The profile is still: ${block.body}`);
}

async function person(client) {
  const waiting = await client.proposals(user).listProposals({ status: ProposalStatus.PENDING });
  for (const { id } of waiting.proposals) {
    await client.proposals(user).approveProposal({ id });
    say("A person approves the edit");
  }
}

async function secondRun(client) {
  const { text } = await client
    .memories(user, agent)
    .recall({ query: "What does Ada drink?", budgetTokens: 100 });
  say(`Run 2: remembered from before: ${text}`);
  const approved = await client.proposals(user).listProposals({ status: ProposalStatus.APPROVED });
  const { block } = await client.blocks(user).getBlock({ label: "profile" });
  if (approved.proposals.length > 0)
    say(`Run 2: the edit is approved, the profile is now: ${block.body}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

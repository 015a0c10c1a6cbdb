// An agent that remembers facts from run to run, and asks a person before it edits the user's
// profile: `agent.mjs ADDRESS`.
import { connect } from "vademecum-client";
import { MemoryType } from "vademecum-client/v1/memory_pb.js";
import { ProposalStatus } from "vademecum-client/v1/proposal_pb.js";

const [user, agent] = ["ada", "guide"];

for (const run of [firstRun, approval, secondRun]) {
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
  await blocks.put({ label: "profile", body: "Ada lives in Lyon." });
  await memories.proposeEdit({
    target: { case: "blockLabel", value: "profile" },
    oldString: "Lyon",
    newString: "Dijon",
    reasoning: "She says that she has moved",
  });
  say("Run 1: proposes an edit of the profile");
  const { block } = await blocks.get({ label: "profile" });
  say(`The profile is still: ${block.body}`);
}

async function approval(client) {
  const pending = await client.proposals(user).list({ status: ProposalStatus.PENDING });
  for (const { id } of pending.proposals) {
    await client.proposals(user).approve({ id });
    say("A person approves the edit");
  }
}

async function secondRun(client) {
  const { text } = await client
    .memories(user, agent)
    .recall({ query: "What does Ada drink?", budgetTokens: 100 });
  say(`Run 2: remembered from before: ${text}`);
  const approved = await client.proposals(user).list({ status: ProposalStatus.APPROVED });
  const { block } = await client.blocks(user).get({ label: "profile" });
  if (approved.proposals.length > 0)
    say(`Run 2: the edit is approved, the profile is now: ${block.body}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

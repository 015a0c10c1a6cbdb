"""An agent that remembers facts from run to run, and asks a person before it edits the user's
profile: `agent.py ADDRESS`.
"""

import sys

from vademecum import Client, connect

USER, AGENT = "ada", "guide"


def first_run(client: Client) -> None:
    memories = client.memories(USER, AGENT)
    recalled = memories.recall("What does Ada drink?", budget_tokens=100)
    print("Run 1:", recalled.text or "nothing is remembered yet")

    fact = "Ada prefers dry red wine"
    memories.add(fact, memory_type="semantic", tags=["wine"])
    print("Run 1: remembers that", fact)

    blocks = client.blocks(USER)
    blocks.put("profile", "Ada lives in Lyon.")
    memories.propose_edit("Lyon", "Dijon", "She says that she has moved", block_label="profile")
    print("Run 1: proposes an edit of the profile")
    print("The profile is still:", blocks.get("profile").block.body)


def approval(client: Client) -> None:
    proposals = client.proposals(USER)
    for proposal in proposals.list(status="pending").proposals:
        proposals.approve(proposal.id)
        print("A person approves the edit")


def second_run(client: Client) -> None:
    recalled = client.memories(USER, AGENT).recall("What does Ada drink?", budget_tokens=100)
    print("Run 2: remembered from before:", recalled.text)
    approved = client.proposals(USER).list(status="approved").proposals
    profile = client.blocks(USER).get("profile").block
    if approved:
        print("Run 2: the edit is approved, the profile is now:", profile.body)


for run in (first_run, approval, second_run):
    with connect(sys.argv[1]) as client:
        run(client)

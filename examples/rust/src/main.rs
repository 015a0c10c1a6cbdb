//! An agent that remembers facts from run to run, and asks a person before it edits the user's
//! profile: `vademecum-agent-example ADDRESS`.

use vademecum::v1::{
    AddRequest, ApproveProposalRequest, GetBlockRequest, ListProposalsRequest, MemoryType, Proposal,
    ProposalStatus, ProposeEditRequest, PutBlockRequest, SearchRequest,
};
use vademecum::{connect, Client, ConnectOptions, Error};

const USER: &str = "ada";
const AGENT: &str = "guide";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let address = std::env::args().nth(1).expect("the address of the server");
    first_run(connect(&address, ConnectOptions::default())?).await?;
    approval(connect(&address, ConnectOptions::default())?).await?;
    second_run(connect(&address, ConnectOptions::default())?).await
}

async fn first_run(client: Client) -> Result<(), Error> {
    let recalled = recall(&client).await?;
    println!("Run 1: {}", if recalled.is_empty() { "nothing is remembered yet" } else { &recalled });

    let fact = "Ada prefers dry red wine";
    let memories = client.memories(USER, AGENT);
    memories.add(AddRequest::new(fact).with_memory_type(MemoryType::Semantic).with_tags(["wine"])).await?;
    println!("Run 1: remembers that {fact}");

    client.blocks(USER).put(PutBlockRequest::new("profile").with_body("Ada lives in Lyon.")).await?;
    let edit = ProposeEditRequest::default()
        .with_block_label("profile")
        .with_old_string("Lyon")
        .with_new_string("Dijon")
        .with_reasoning("She says that she has moved");
    memories.propose_edit(edit).await?;
    println!("Run 1: proposes an edit of the profile");
    println!("The profile is still: {}", profile(&client).await?);
    Ok(())
}

async fn approval(client: Client) -> Result<(), Error> {
    for proposal in proposals(&client, ProposalStatus::Pending).await? {
        client.proposals(USER).approve(ApproveProposalRequest::new(proposal.id)).await?;
        println!("A person approves the edit");
    }
    Ok(())
}

async fn second_run(client: Client) -> Result<(), Error> {
    println!("Run 2: remembered from before: {}", recall(&client).await?);
    if !proposals(&client, ProposalStatus::Approved).await?.is_empty() {
        println!("Run 2: the edit is approved, the profile is now: {}", profile(&client).await?);
    }
    Ok(())
}

async fn recall(client: &Client) -> Result<String, Error> {
    let search = SearchRequest::default().with_query("What does Ada drink?").with_budget_tokens(100);
    Ok(client.memories(USER, AGENT).recall(search).await?.text)
}

async fn profile(client: &Client) -> Result<String, Error> {
    let reply = client.blocks(USER).get(GetBlockRequest::new("profile")).await?;
    Ok(reply.block.unwrap_or_default().body)
}

async fn proposals(client: &Client, status: ProposalStatus) -> Result<Vec<Proposal>, Error> {
    Ok(client.proposals(USER).list(ListProposalsRequest::default().with_status(status)).await?.proposals)
}

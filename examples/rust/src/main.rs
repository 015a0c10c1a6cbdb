//! An agent that remembers facts from run to run, and asks a person before it edits the user's
//! profile: `vademecum-agent-example ADDRESS`.

use vademecum::v1::{
    propose_edit_request, AddRequest, ApproveProposalRequest, GetBlockRequest, ListProposalsRequest, MemoryType, Proposal,
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
    memories
        .add(AddRequest {
            content: fact.into(),
            memory_type: MemoryType::Semantic.into(),
            tags: vec!["wine".into()],
            ..Default::default()
        })
        .await?;
    println!("Run 1: remembers that {fact}");

    let blocks = client.blocks(USER);
    blocks
        .put_block(PutBlockRequest { label: "profile".into(), body: "Ada lives in Lyon.".into(), ..Default::default() })
        .await?;
    memories
        .propose_edit(ProposeEditRequest {
            target: Some(propose_edit_request::Target::BlockLabel("profile".into())),
            old_string: "Lyon".into(),
            new_string: "Dijon".into(),
            reasoning: "She says that she has moved".into(),
            ..Default::default()
        })
        .await?;
    println!("Run 1: proposes an edit of the profile");
    println!("The profile is still: {}", profile(&client).await?);
    Ok(())
}

async fn approval(client: Client) -> Result<(), Error> {
    for proposal in proposals(&client, ProposalStatus::Pending).await? {
        client.proposals(USER).approve_proposal(ApproveProposalRequest { id: proposal.id, ..Default::default() }).await?;
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
    let search = SearchRequest { query: "What does Ada drink?".into(), budget_tokens: Some(100), ..Default::default() };
    Ok(client.memories(USER, AGENT).recall(search).await?.text)
}

async fn profile(client: &Client) -> Result<String, Error> {
    let reply = client.blocks(USER).get_block(GetBlockRequest { label: "profile".into(), ..Default::default() }).await?;
    Ok(reply.block.unwrap_or_default().body)
}

async fn proposals(client: &Client, status: ProposalStatus) -> Result<Vec<Proposal>, Error> {
    let request = ListProposalsRequest { status: status.into(), ..Default::default() };
    Ok(client.proposals(USER).list_proposals(request).await?.proposals)
}

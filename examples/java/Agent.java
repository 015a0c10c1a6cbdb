import java.util.List;
import java.util.function.Consumer;
import vademecum.client.Client;
import vademecum.client.Memories;
import vademecum.v1.AddRequest;
import vademecum.v1.ApproveProposalRequest;
import vademecum.v1.GetBlockRequest;
import vademecum.v1.ListProposalsRequest;
import vademecum.v1.MemoryType;
import vademecum.v1.Proposal;
import vademecum.v1.ProposalStatus;
import vademecum.v1.ProposeEditRequest;
import vademecum.v1.PutBlockRequest;
import vademecum.v1.SearchRequest;

/**
 * An agent that remembers facts from run to run, and asks a person before it edits the user's
 * profile: {@code Agent.java ADDRESS}.
 */
public final class Agent {
  private static final String USER = "ada";
  private static final String AGENT = "guide";

  private Agent() {}

  public static void main(String[] arguments) {
    for (Consumer<Client> run : List.<Consumer<Client>>of(Agent::firstRun, Agent::approval, Agent::secondRun)) {
      try (Client client = Client.connect(arguments[0])) {
        run.accept(client);
      }
    }
  }

  private static void firstRun(Client client) {
    String recalled = recall(client);
    System.out.println("Run 1: " + (recalled.isEmpty() ? "nothing is remembered yet" : recalled));

    String fact = "Ada prefers dry red wine";
    Memories memories = client.memories(USER, AGENT);
    memories.add(AddRequest.newBuilder().setContent(fact).setMemoryType(MemoryType.MEMORY_TYPE_SEMANTIC).addTags("wine"));
    System.out.println("Run 1: remembers that " + fact);

    client.blocks(USER).put(PutBlockRequest.newBuilder().setLabel("profile").setBody("Ada lives in Lyon."));
    memories.proposeEdit(
        ProposeEditRequest.newBuilder()
            .setBlockLabel("profile")
            .setOldString("Lyon")
            .setNewString("Dijon")
            .setReasoning("She says that she has moved"));
    System.out.println("Run 1: proposes an edit of the profile");
    System.out.println("The profile is still: " + profile(client));
  }

  private static void approval(Client client) {
    for (Proposal proposal : proposals(client, ProposalStatus.PROPOSAL_STATUS_PENDING)) {
      client.proposals(USER).approve(ApproveProposalRequest.newBuilder().setId(proposal.getId()));
      System.out.println("A person approves the edit");
    }
  }

  private static void secondRun(Client client) {
    System.out.println("Run 2: remembered from before: " + recall(client));
    if (!proposals(client, ProposalStatus.PROPOSAL_STATUS_APPROVED).isEmpty()) {
      System.out.println("Run 2: the edit is approved, the profile is now: " + profile(client));
    }
  }

  private static String recall(Client client) {
    SearchRequest.Builder search = SearchRequest.newBuilder().setQuery("What does Ada drink?").setBudgetTokens(100);
    return client.memories(USER, AGENT).recall(search).getText();
  }

  private static String profile(Client client) {
    return client.blocks(USER).get(GetBlockRequest.newBuilder().setLabel("profile")).getBlock().getBody();
  }

  private static List<Proposal> proposals(Client client, ProposalStatus status) {
    return client.proposals(USER).list(ListProposalsRequest.newBuilder().setStatus(status)).getProposalsList();
  }
}

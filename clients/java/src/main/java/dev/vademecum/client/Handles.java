// Made from the definitions by `npm run generate`: do not edit.
package dev.vademecum.client;

/** The services of a server. */
public abstract class Handles {
  final Calls calls;

  Handles(Calls calls) {
    this.calls = calls;
  }

  /**
   * Calls of MemoryProvider.
   *
   * @param userId the user, 1 to 256 bytes
   * @param agentId the agent, 1 to 256 bytes
   */
  public Memories memories(String userId, String agentId) {
    return new Memories(calls, userId, agentId);
  }

  /**
   * Calls of SkillService.
   *
   * @param userId the user, 1 to 256 bytes
   * @param agentId the agent, 1 to 256 bytes
   */
  public Skills skills(String userId, String agentId) {
    return new Skills(calls, userId, agentId);
  }

  /**
   * Calls of BlockService.
   *
   * @param userId the user, 1 to 256 bytes
   */
  public Blocks blocks(String userId) {
    return new Blocks(calls, userId);
  }

  /**
   * Calls of ProposalService.
   *
   * @param userId the user, 1 to 256 bytes
   */
  public Proposals proposals(String userId) {
    return new Proposals(calls, userId);
  }

  /**
   * Calls of KeyValueService.
   *
   * @param runId the run, 1 to 256 bytes
   */
  public KeyValues keyValues(String runId) {
    return new KeyValues(calls, runId);
  }

  /**
   * Calls of ToolService.
   */
  public Tools tools() {
    return new Tools(calls);
  }
}

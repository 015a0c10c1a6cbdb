// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

/**
 * Creates handles. A handle makes the calls of one service, and fills in the ids with which it was
 * created. AdminService has no handle.
 */
public abstract class Handles {
  final Calls calls;

  Handles(Calls calls) {
    this.calls = calls;
  }

  /**
   * Returns a handle for the calls of MemoryProvider.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  public Memories memories(String userId, String agentId) {
    return new Memories(calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of SkillService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  public Skills skills(String userId, String agentId) {
    return new Skills(calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of BlockService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   */
  public Blocks blocks(String userId) {
    return new Blocks(calls, userId);
  }

  /**
   * Returns a handle for the calls of ThreadService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  public Threads threads(String userId, String agentId) {
    return new Threads(calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of ProposalService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   */
  public Proposals proposals(String userId) {
    return new Proposals(calls, userId);
  }

  /**
   * Returns a handle for the calls of ProposalService.
   */
  public Inbox inbox() {
    return new Inbox(calls);
  }

  /**
   * Returns a handle for the calls of KeyValueService.
   *
   * @param runId the id of the run, 1 to 256 bytes
   */
  public KeyValues keyValues(String runId) {
    return new KeyValues(calls, runId);
  }

  /**
   * Returns a handle for the calls of ToolService.
   */
  public Tools tools() {
    return new Tools(calls);
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.DeleteSkillRequest;
import vademecum.v1.DeleteSkillResponse;
import vademecum.v1.GetSkillRequest;
import vademecum.v1.GetSkillResponse;
import vademecum.v1.ListSkillsRequest;
import vademecum.v1.ListSkillsResponse;
import vademecum.v1.Namespace;
import vademecum.v1.PruneStaleRequest;
import vademecum.v1.PruneStaleResponse;
import vademecum.v1.RetrieveSkillsRequest;
import vademecum.v1.RetrieveSkillsResponse;
import vademecum.v1.SkillServiceGrpc;
import vademecum.v1.StoreSkillRequest;
import vademecum.v1.StoreSkillResponse;
import vademecum.v1.UpdateSuccessCountRequest;
import vademecum.v1.UpdateSuccessCountResponse;

/**
 * Stores the lessons that agents have learned and retrieves them for a given situation. A worked
 * example: docs/guides/skills.md.
 *
 * <p>A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
 * Mutations take an `idempotency_key`, as in MemoryProvider. No reply reveals skills of another
 * namespace, with one exception: the error QUOTA_EXCEEDED says how many bytes the user would hold
 * after the write.
 *
 * <p>VADEMECUM_SKILLS=off turns the service off. A valid call then succeeds, but stores nothing.
 * Its reply has no skills, and all its flags and counts are false or 0.
 */
public final class Skills {
  private final Calls calls;
  private final Namespace namespace;

  Skills(Calls calls, String userId, String agentId) {
    this.calls = calls;
    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();
  }

  /**
   * Stores a skill, or replaces the skill with the given id. Fails with PERMISSION_DENIED
   * (ROLE_REQUIRED) when another principal stored that skill, and the caller does not have the role
   * `curator`.
   */
  public StoreSkillResponse store(StoreSkillRequest.Builder request) {
    StoreSkillRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getStoreSkillMethod(), copy.build());
  }

  /**
   * Retrieves the skills for a situation, most similar first. A call counts as a use of the skills
   * that it returns: it sets their last_used_time. It does not change their success_count.
   */
  public RetrieveSkillsResponse retrieve(RetrieveSkillsRequest.Builder request) {
    RetrieveSkillsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getRetrieveSkillsMethod(), copy.build());
  }

  /**
   * Returns one skill. The call does not count as a use of the skill. On a server with
   * VADEMECUM_SKILLS=off, the reply is empty.
   *
   * <p>Fails with NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.
   */
  public GetSkillResponse get(GetSkillRequest.Builder request) {
    GetSkillRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getGetSkillMethod(), copy.build());
  }

  /**
   * Lists skills, newest first, page by page. A listing does not count as a use of the skills.
   */
  public ListSkillsResponse list(ListSkillsRequest.Builder request) {
    ListSkillsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getListSkillsMethod(), copy.build());
  }

  /**
   * Deletes one skill. An unknown id is not an error: `deleted` is false. Fails with
   * PERMISSION_DENIED (ROLE_REQUIRED) when another principal stored the skill, and the caller does
   * not have the role `curator`.
   */
  public DeleteSkillResponse delete(DeleteSkillRequest.Builder request) {
    DeleteSkillRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getDeleteSkillMethod(), copy.build());
  }

  /**
   * Adds to the success_count and failure_count of a skill. A call counts as a use of the skill: it
   * sets last_used_time. An unknown id is not an error: `updated` is false.
   */
  public UpdateSuccessCountResponse updateSuccessCount(UpdateSuccessCountRequest.Builder request) {
    UpdateSuccessCountRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getUpdateSuccessCountMethod(), copy.build());
  }

  /**
   * Removes the stale skills of a namespace. A skill is stale in two cases:
   *
   * <ul>
   * <li>It has not been used for 90 days.
   * <li>It is at least 30 days old, and its success_count is 0.
   * </ul>
   *
   * <p>The server itself prunes all namespaces at start and once a day, unless it runs with
   * --pruning off. AdminService.Prune prunes all namespaces of a tenant immediately.
   */
  public PruneStaleResponse pruneStale(PruneStaleRequest.Builder request) {
    PruneStaleRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getPruneStaleMethod(), copy.build());
  }
}

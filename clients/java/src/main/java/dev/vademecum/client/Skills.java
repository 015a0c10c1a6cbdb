// Made from the definitions by `npm run generate`: do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.DeleteSkillRequest;
import dev.vademecum.v1.DeleteSkillResponse;
import dev.vademecum.v1.ListSkillsRequest;
import dev.vademecum.v1.ListSkillsResponse;
import dev.vademecum.v1.Namespace;
import dev.vademecum.v1.PruneStaleRequest;
import dev.vademecum.v1.PruneStaleResponse;
import dev.vademecum.v1.RetrieveSkillsRequest;
import dev.vademecum.v1.RetrieveSkillsResponse;
import dev.vademecum.v1.SkillServiceGrpc;
import dev.vademecum.v1.StoreSkillRequest;
import dev.vademecum.v1.StoreSkillResponse;
import dev.vademecum.v1.UpdateSuccessCountRequest;
import dev.vademecum.v1.UpdateSuccessCountResponse;

/**
 * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
 *
 * <p>A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
 *
 * <p>On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
 */
public final class Skills {
  private final Calls calls;
  private final Namespace namespace;

  Skills(Calls calls, String userId, String agentId) {
    this.calls = calls;
    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();
  }

  /**
   * Stores a skill, or replaces the one of the given id.
   */
  public StoreSkillResponse storeSkill(StoreSkillRequest.Builder request) {
    StoreSkillRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getStoreSkillMethod(), filled.build());
  }

  /**
   * Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
   */
  public RetrieveSkillsResponse retrieveSkills(RetrieveSkillsRequest.Builder request) {
    RetrieveSkillsRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getRetrieveSkillsMethod(), filled.build());
  }

  /**
   * Lists skills, newest first, page by page. That does not count as use.
   */
  public ListSkillsResponse listSkills(ListSkillsRequest.Builder request) {
    ListSkillsRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getListSkillsMethod(), filled.build());
  }

  /**
   * Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
   */
  public DeleteSkillResponse deleteSkill(DeleteSkillRequest.Builder request) {
    DeleteSkillRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getDeleteSkillMethod(), filled.build());
  }

  /**
   * Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
   */
  public UpdateSuccessCountResponse updateSuccessCount(UpdateSuccessCountRequest.Builder request) {
    UpdateSuccessCountRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getUpdateSuccessCountMethod(), filled.build());
  }

  /**
   * Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
   */
  public PruneStaleResponse pruneStale(PruneStaleRequest.Builder request) {
    PruneStaleRequest.Builder filled = request.clone();
    filled.setNamespace(namespace);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getPruneStaleMethod(), filled.build());
  }
}

// Generated from the definitions by `npm run generate`. Do not edit.
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
 * Stores the lessons that agents have learned and retrieves them for a given situation. A worked
 * example: docs/skills.md.
 *
 * <p>A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
 * Every mutation takes an `idempotency_key`, as in MemoryProvider. The id of a skill in another
 * namespace and an unknown id give the same answer.
 *
 * <p>When the server runs with VADEMECUM_SKILLS=off, every well-formed call is answered as if there
 * were no skills: empty, false or zero. Nothing is stored.
 */
public final class Skills {
  private final Calls calls;
  private final Namespace namespace;

  Skills(Calls calls, String userId, String agentId) {
    this.calls = calls;
    this.namespace = Namespace.newBuilder().setUserId(userId).setAgentId(agentId).build();
  }

  /**
   * Stores a skill, or replaces the skill with the given id.
   */
  public StoreSkillResponse storeSkill(StoreSkillRequest.Builder request) {
    StoreSkillRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getStoreSkillMethod(), copy.build());
  }

  /**
   * Retrieves skills for a situation, best first. This counts as use of the returned skills: it
   * sets their last_used_time, but not their success_count.
   */
  public RetrieveSkillsResponse retrieveSkills(RetrieveSkillsRequest.Builder request) {
    RetrieveSkillsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getRetrieveSkillsMethod(), copy.build());
  }

  /**
   * Lists skills, newest first, page by page. Listing does not count as use.
   */
  public ListSkillsResponse listSkills(ListSkillsRequest.Builder request) {
    ListSkillsRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    return calls.unary(SkillServiceGrpc.getListSkillsMethod(), copy.build());
  }

  /**
   * Deletes one skill. An unknown id is not an error: `deleted` is false.
   */
  public DeleteSkillResponse deleteSkill(DeleteSkillRequest.Builder request) {
    DeleteSkillRequest.Builder copy = request.clone();
    copy.setNamespace(namespace);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(SkillServiceGrpc.getDeleteSkillMethod(), copy.build());
  }

  /**
   * Records that a skill helped, or that it did not. This counts as use. An unknown id is not an
   * error: `updated` is false.
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
   * Removes the stale skills of a namespace: skills not used for 90 days or more, and skills that
   * are 30 days old or more and have no success. The server prunes all namespaces at start and once
   * a day (--pruning). AdminService.Prune prunes all namespaces now.
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

// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Skills stores the lessons that agents have learned and retrieves them for a given situation. A
// worked example: docs/guides/skills.md.
//
// A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable.
// Mutations take an `idempotency_key`, as in MemoryProvider. No reply reveals skills of another
// namespace, with one exception: the error QUOTA_EXCEEDED says how many bytes the user would hold
// after the write.
//
// VADEMECUM_SKILLS=off turns the service off. A valid call then succeeds, but stores nothing. Its
// reply has no skills, and all its flags and counts are false or 0.
type Skills struct {
	calls   *calls
	stub    vademecumv1.SkillServiceClient
	userID  string
	agentID string
}

// Skills returns a handle for the calls of SkillService about one user and one agent. Each id has 1
// to 256 bytes.
func (client *Client) Skills(userID, agentID string) *Skills {
	return &Skills{client.calls, vademecumv1.NewSkillServiceClient(client.connection), userID, agentID}
}

// Store stores a skill, or replaces the skill with the given id. Fails with PERMISSION_DENIED
// (ROLE_REQUIRED) when another principal stored that skill, and the caller does not have the role
// `curator`.
func (s *Skills) Store(ctx context.Context, request *vademecumv1.StoreSkillRequest) (*vademecumv1.StoreSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, "SkillService.StoreSkill", s.stub.StoreSkill, request)
}

// Retrieve retrieves the skills for a situation, most similar first. A call counts as a use of the
// skills that it returns: it sets their last_used_time. It does not change their success_count.
func (s *Skills) Retrieve(ctx context.Context, request *vademecumv1.RetrieveSkillsRequest) (*vademecumv1.RetrieveSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	return unary(ctx, s.calls, "SkillService.RetrieveSkills", s.stub.RetrieveSkills, request)
}

// Get returns one skill. The call does not count as a use of the skill. On a server with
// VADEMECUM_SKILLS=off, the reply is empty.
//
// Fails with NOT_FOUND (SKILL_NOT_FOUND) when the namespace has no such skill.
func (s *Skills) Get(ctx context.Context, request *vademecumv1.GetSkillRequest) (*vademecumv1.GetSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	return unary(ctx, s.calls, "SkillService.GetSkill", s.stub.GetSkill, request)
}

// List lists skills, newest first, page by page. A listing does not count as a use of the skills.
func (s *Skills) List(ctx context.Context, request *vademecumv1.ListSkillsRequest) (*vademecumv1.ListSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	return unary(ctx, s.calls, "SkillService.ListSkills", s.stub.ListSkills, request)
}

// Delete deletes one skill. An unknown id is not an error: `deleted` is false. Fails with
// PERMISSION_DENIED (ROLE_REQUIRED) when another principal stored the skill, and the caller does
// not have the role `curator`.
func (s *Skills) Delete(ctx context.Context, request *vademecumv1.DeleteSkillRequest) (*vademecumv1.DeleteSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, "SkillService.DeleteSkill", s.stub.DeleteSkill, request)
}

// UpdateSuccessCount adds to the success_count and failure_count of a skill. A call counts as a use
// of the skill: it sets last_used_time. An unknown id is not an error: `updated` is false.
func (s *Skills) UpdateSuccessCount(ctx context.Context, request *vademecumv1.UpdateSuccessCountRequest) (*vademecumv1.UpdateSuccessCountResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, "SkillService.UpdateSuccessCount", s.stub.UpdateSuccessCount, request)
}

// PruneStale removes the stale skills of a namespace. A skill is stale in two cases:
//
//   - It has not been used for 90 days.
//   - It is at least 30 days old, and its success_count is 0.
//
// The server itself prunes all namespaces at start and once a day, unless it runs with --pruning
// off. AdminService.Prune prunes all namespaces of a tenant immediately.
func (s *Skills) PruneStale(ctx context.Context, request *vademecumv1.PruneStaleRequest) (*vademecumv1.PruneStaleResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, "SkillService.PruneStale", s.stub.PruneStale, request)
}

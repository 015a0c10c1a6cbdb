// Generated from the definitions by `npm run generate`. Do not edit.
use vademecum_stubs::v1;

use crate::numbers::{joined, LostNumber, Numbers};

impl Numbers for v1::AddManyRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.memories.lost_number(&joined(path, "memories"))
    }
}

impl Numbers for v1::AddRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.metadata.lost_number(&joined(path, "metadata"))
    }
}

impl Numbers for v1::AddTraceRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.trace_data.lost_number(&joined(path, "trace_data"))
    }
}

impl Numbers for v1::AgentContext {}

impl Numbers for v1::AppendTurnsRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.turns.lost_number(&joined(path, "turns"))
    }
}

impl Numbers for v1::ApproveProposalRequest {}

impl Numbers for v1::BlocksSection {}

impl Numbers for v1::BuildContextRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.sections.lost_number(&joined(path, "sections"))
    }
}

impl Numbers for v1::ClearThreadRequest {}

impl Numbers for v1::ContextSection {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        match &self.section { Some(v1::context_section::Section::Memories(value)) => value.lost_number(&joined(path, "memories")), _ => None }
    }
}

impl Numbers for v1::CountProposalsRequest {}

impl Numbers for v1::CountRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::DeleteBlockRequest {}

impl Numbers for v1::DeleteBlocksRequest {}

impl Numbers for v1::DeleteKeyRequest {}

impl Numbers for v1::DeleteManyRequest {}

impl Numbers for v1::DeleteProposalRequest {}

impl Numbers for v1::DeleteRequest {}

impl Numbers for v1::DeleteSkillRequest {}

impl Numbers for v1::DeleteToolRequest {}

impl Numbers for v1::DeleteWhereRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::DispatchRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.arguments.lost_number(&joined(path, "arguments"))
    }
}

impl Numbers for v1::ExplainRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.search.lost_number(&joined(path, "search"))
    }
}

impl Numbers for v1::ExplainSearchRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.search.lost_number(&joined(path, "search"))
    }
}

impl Numbers for v1::Filter {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.metadata.lost_number(&joined(path, "metadata"))
    }
}

impl Numbers for v1::ForkThreadRequest {}

impl Numbers for v1::GetAllRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::GetBlockRequest {}

impl Numbers for v1::GetManyRequest {}

impl Numbers for v1::GetProposalRequest {}

impl Numbers for v1::GetRequest {}

impl Numbers for v1::GetSkillRequest {}

impl Numbers for v1::GetToolDefinitionsRequest {}

impl Numbers for v1::GetTurnTraceRequest {}

impl Numbers for v1::GetTurnsRequest {}

impl Numbers for v1::KeysSection {}

impl Numbers for v1::ListBlockVersionsRequest {}

impl Numbers for v1::ListBlocksRequest {}

impl Numbers for v1::ListKeysRequest {}

impl Numbers for v1::ListMemoryVersionsRequest {}

impl Numbers for v1::ListProposalsRequest {}

impl Numbers for v1::ListRunsRequest {}

impl Numbers for v1::ListSkillsRequest {}

impl Numbers for v1::ListThreadsRequest {}

impl Numbers for v1::ListToolsRequest {}

impl Numbers for v1::ListTurnEntriesRequest {}

impl Numbers for v1::ListTurnsRequest {}

impl Numbers for v1::MemoriesSection {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::MemoryAccess {}

impl Numbers for v1::MemoryChanges {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.metadata.lost_number(&joined(path, "metadata"))
    }
}

impl Numbers for v1::MemoryWrite {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.metadata.lost_number(&joined(path, "metadata"))
    }
}

impl Numbers for v1::Namespace {}

impl Numbers for v1::NewTurn {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.metadata.lost_number(&joined(path, "metadata"))
    }
}

impl Numbers for v1::PopTurnRequest {}

impl Numbers for v1::ProposeEditRequest {}

impl Numbers for v1::PruneStaleRequest {}

impl Numbers for v1::PutBlockRequest {}

impl Numbers for v1::QueryMemoryRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.queries.lost_number(&joined(path, "queries"))
    }
}

impl Numbers for v1::QueryMemoryUnaryRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.request.lost_number(&joined(path, "request"))
    }
}

impl Numbers for v1::RankingWeights {}

impl Numbers for v1::ReadKeyRequest {}

impl Numbers for v1::ReadKeysRequest {}

impl Numbers for v1::RecallRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.search.lost_number(&joined(path, "search"))
    }
}

impl Numbers for v1::RecentSection {}

impl Numbers for v1::RedactVersionRequest {}

impl Numbers for v1::RegisterToolRequest {}

impl Numbers for v1::RejectProposalRequest {}

impl Numbers for v1::RenameBlockRequest {}

impl Numbers for v1::RenderBlocksRequest {}

impl Numbers for v1::ReplaceThreadRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.turns.lost_number(&joined(path, "turns"))
    }
}

impl Numbers for v1::ResetRequest {}

impl Numbers for v1::RestoreBlockRequest {}

impl Numbers for v1::RestoreMemoryRequest {}

impl Numbers for v1::RetrieveSkillsRequest {}

impl Numbers for v1::SearchKeysRequest {}

impl Numbers for v1::SearchRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::SkillFilter {}

impl Numbers for v1::SkillsSection {}

impl Numbers for v1::StoreSkillRequest {}

impl Numbers for v1::SubmitToolResponseRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.memory_writes.lost_number(&joined(path, "memory_writes"))
            .or_else(|| self.scratch_page_writes.lost_number(&joined(path, "scratch_page_writes")))
    }
}

impl Numbers for v1::TimeRange {}

impl Numbers for v1::ToolManifest {}

impl Numbers for v1::ToolQuery {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.filter.lost_number(&joined(path, "filter"))
    }
}

impl Numbers for v1::UpdateRequest {
    fn lost_number(&self, path: &str) -> Option<LostNumber> {
        self.changes.lost_number(&joined(path, "changes"))
    }
}

impl Numbers for v1::UpdateSuccessCountRequest {}

impl Numbers for v1::WatchInboxRequest {}

impl Numbers for v1::WatchMemoriesRequest {}

impl Numbers for v1::WatchProposalsRequest {}

impl Numbers for v1::WriteKeyRequest {}

// Generated from the definitions by `npm run generate`. Do not edit.
mod blocks;
mod inbox;
mod key_values;
mod memories;
mod numbers;
mod proposals;
mod skills;
mod threads;
mod tools;

pub use blocks::Blocks;
pub use inbox::Inbox;
pub use key_values::KeyValues;
pub use memories::Memories;
pub use proposals::Proposals;
pub use skills::Skills;
pub use threads::Threads;
pub use tools::Tools;

use crate::client::Client;

/// Creates handles. A handle makes the calls of one service, and fills in the ids with which it was
/// created. AdminService has no handle.
impl Client {
    /// Returns a handle for the calls of MemoryProvider about one user and one agent. Each id has 1
    /// to 256 bytes.
    pub fn memories(&self, user_id: impl Into<String>, agent_id: impl Into<String>) -> Memories {
        Memories::new(self.calls.clone(), user_id.into(), agent_id.into())
    }

    /// Returns a handle for the calls of SkillService about one user and one agent. Each id has 1
    /// to 256 bytes.
    pub fn skills(&self, user_id: impl Into<String>, agent_id: impl Into<String>) -> Skills {
        Skills::new(self.calls.clone(), user_id.into(), agent_id.into())
    }

    /// Returns a handle for the calls of BlockService about one user. The id has 1 to 256 bytes.
    pub fn blocks(&self, user_id: impl Into<String>) -> Blocks {
        Blocks::new(self.calls.clone(), user_id.into())
    }

    /// Returns a handle for the calls of ThreadService about one user and one agent. Each id has 1
    /// to 256 bytes.
    pub fn threads(&self, user_id: impl Into<String>, agent_id: impl Into<String>) -> Threads {
        Threads::new(self.calls.clone(), user_id.into(), agent_id.into())
    }

    /// Returns a handle for the calls of ProposalService about one user. The id has 1 to 256 bytes.
    pub fn proposals(&self, user_id: impl Into<String>) -> Proposals {
        Proposals::new(self.calls.clone(), user_id.into())
    }

    /// Returns a handle for the calls of ProposalService.
    pub fn inbox(&self) -> Inbox {
        Inbox::new(self.calls.clone())
    }

    /// Returns a handle for the calls of KeyValueService about one run. The id has 1 to 256 bytes.
    pub fn key_values(&self, run_id: impl Into<String>) -> KeyValues {
        KeyValues::new(self.calls.clone(), run_id.into())
    }

    /// Returns a handle for the calls of ToolService.
    pub fn tools(&self) -> Tools {
        Tools::new(self.calls.clone())
    }
}

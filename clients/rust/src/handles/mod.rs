// Generated from the definitions by `npm run generate`. Do not edit.
mod blocks;
mod key_values;
mod memories;
mod proposals;
mod skills;
mod tools;

pub use blocks::Blocks;
pub use key_values::KeyValues;
pub use memories::Memories;
pub use proposals::Proposals;
pub use skills::Skills;
pub use tools::Tools;

use crate::client::Client;

/// Creates the handles for the services of a server.
impl Client {
    /// Returns a handle for MemoryProvider; `user_id` is the user, 1 to 256 bytes; `agent_id` is
    /// the agent, 1 to 256 bytes.
    pub fn memories(&self, user_id: impl Into<String>, agent_id: impl Into<String>) -> Memories {
        Memories::new(self.calls.clone(), user_id.into(), agent_id.into())
    }

    /// Returns a handle for SkillService; `user_id` is the user, 1 to 256 bytes; `agent_id` is the
    /// agent, 1 to 256 bytes.
    pub fn skills(&self, user_id: impl Into<String>, agent_id: impl Into<String>) -> Skills {
        Skills::new(self.calls.clone(), user_id.into(), agent_id.into())
    }

    /// Returns a handle for BlockService; `user_id` is the user, 1 to 256 bytes.
    pub fn blocks(&self, user_id: impl Into<String>) -> Blocks {
        Blocks::new(self.calls.clone(), user_id.into())
    }

    /// Returns a handle for ProposalService; `user_id` is the user, 1 to 256 bytes.
    pub fn proposals(&self, user_id: impl Into<String>) -> Proposals {
        Proposals::new(self.calls.clone(), user_id.into())
    }

    /// Returns a handle for KeyValueService; `run_id` is the run, 1 to 256 bytes.
    pub fn key_values(&self, run_id: impl Into<String>) -> KeyValues {
        KeyValues::new(self.calls.clone(), run_id.into())
    }

    /// Returns a handle for ToolService.
    pub fn tools(&self) -> Tools {
        Tools::new(self.calls.clone())
    }
}

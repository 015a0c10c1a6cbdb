// Generated from the definitions by `npm run generate`. Do not edit.
import type { Calls } from "../calls.js";
import { Blocks } from "./blocks.js";
import { Inbox } from "./inbox.js";
import { KeyValues } from "./key-values.js";
import { Memories } from "./memories.js";
import { Proposals } from "./proposals.js";
import { Skills } from "./skills.js";
import { Threads } from "./threads.js";
import { Tools } from "./tools.js";

/**
 * Creates handles. A handle makes the calls of one service, and fills in the ids with which it was
 * created. AdminService has no handle.
 */
export class Handles {
  constructor(protected readonly calls: Calls) {}

  /**
   * Returns a handle for the calls of MemoryProvider.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  memories(userId: string, agentId: string): Memories {
    return new Memories(this.calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of SkillService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  skills(userId: string, agentId: string): Skills {
    return new Skills(this.calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of BlockService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   */
  blocks(userId: string): Blocks {
    return new Blocks(this.calls, userId);
  }

  /**
   * Returns a handle for the calls of ThreadService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   * @param agentId the id of the agent, 1 to 256 bytes
   */
  threads(userId: string, agentId: string): Threads {
    return new Threads(this.calls, userId, agentId);
  }

  /**
   * Returns a handle for the calls of ProposalService.
   *
   * @param userId the id of the user, 1 to 256 bytes
   */
  proposals(userId: string): Proposals {
    return new Proposals(this.calls, userId);
  }

  /** Returns a handle for the calls of ProposalService. */
  inbox(): Inbox {
    return new Inbox(this.calls);
  }

  /**
   * Returns a handle for the calls of KeyValueService.
   *
   * @param runId the id of the run, 1 to 256 bytes
   */
  keyValues(runId: string): KeyValues {
    return new KeyValues(this.calls, runId);
  }

  /** Returns a handle for the calls of ToolService. */
  tools(): Tools {
    return new Tools(this.calls);
  }
}

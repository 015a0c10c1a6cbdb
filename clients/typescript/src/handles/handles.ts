// Made from the definitions by `npm run generate`: do not edit.
import type { Calls } from "../calls.js";
import { Blocks } from "./blocks.js";
import { KeyValues } from "./key-values.js";
import { Memories } from "./memories.js";
import { Proposals } from "./proposals.js";
import { Skills } from "./skills.js";
import { Tools } from "./tools.js";

/** The services of a server. */
export class Handles {
  constructor(protected readonly calls: Calls) {}

  /**
   * Calls of MemoryProvider.
   * @param userId the user, 1 to 256 bytes
   * @param agentId the agent, 1 to 256 bytes
   */
  memories(userId: string, agentId: string): Memories {
    return new Memories(this.calls, userId, agentId);
  }

  /**
   * Calls of SkillService.
   * @param userId the user, 1 to 256 bytes
   * @param agentId the agent, 1 to 256 bytes
   */
  skills(userId: string, agentId: string): Skills {
    return new Skills(this.calls, userId, agentId);
  }

  /**
   * Calls of BlockService.
   * @param userId the user, 1 to 256 bytes
   */
  blocks(userId: string): Blocks {
    return new Blocks(this.calls, userId);
  }

  /**
   * Calls of ProposalService.
   * @param userId the user, 1 to 256 bytes
   */
  proposals(userId: string): Proposals {
    return new Proposals(this.calls, userId);
  }

  /**
   * Calls of KeyValueService.
   * @param runId the run, 1 to 256 bytes
   */
  keyValues(runId: string): KeyValues {
    return new KeyValues(this.calls, runId);
  }

  /** Calls of ToolService. */
  tools(): Tools {
    return new Tools(this.calls);
  }
}

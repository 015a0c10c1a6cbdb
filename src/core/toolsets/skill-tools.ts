import type { SkillService } from "../skills/service.js";
import { countPhrase } from "../text/count-phrase.js";
import { replaceLineBreaks } from "../text/line-breaks.js";
import { defineTool, failure, noUser, success, type Tool } from "./tool.js";

/** Defaults of retrieve_skills, which are those of RetrieveSkills. */
const defaultLimit = 5;
const minSimilarity = 0.7;

const skillText = { type: "string", minBytes: 1, notBlank: true, maxBytes: 32 * 1024 } as const;
const toolName = { type: "string", minBytes: 1, maxBytes: 256, optional: true } as const;

/** The toolset `skills`: an agent's lessons about situations. */
export function skillTools(skills: SkillService): readonly Tool[] {
  return [retrieveSkillsTool(skills), storeSkillTool(skills), reportSkillTool(skills)];
}

function retrieveSkillsTool(skills: SkillService): Tool {
  return defineTool({
    name: "retrieve_skills",
    description:
      "Look up lessons from earlier situations that are like the present one. Do so before you " +
      "begin a task.",
    parameters: {
      situation: {
        type: "string",
        minBytes: 1,
        maxBytes: 8 * 1024,
        description: "The present situation, in a sentence.",
      },
      tool_name: { ...toolName, description: "Only lessons about this tool. Default: all." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        description: `Most lessons to return, 1 to 100. Default ${defaultLimit}.`,
        optional: true,
      },
    },
    roles: ["reader"],
    effects: { readOnly: true },
    async run({ situation, tool_name: name, limit: topK = defaultLimit }, { namespace, call }) {
      if (namespace === undefined) return noUser;
      const query = { namespace, query: situation, topK, minSimilarity, includeEmbedding: false };
      const found = await skills.retrieve(
        { ...query, ...(name !== undefined && { toolName: name }) },
        call,
      );
      if (found.skills.length === 0) return success("No skills found for this situation.");
      return success(
        found.skills
          .map(({ skill }) => {
            const situationText = `- (id ${inLine(skill.id)}) ${indented(skill.context)}`;
            return `${situationText}\n  Lesson: ${indented(skill.lesson)}`;
          })
          .join("\n"),
      );
    },
  });
}

function storeSkillTool(skills: SkillService): Tool {
  return defineTool({
    name: "store_skill",
    description:
      "Remember a lesson: the situation in which you learned it, and what to do in such a " +
      "situation.",
    parameters: {
      context: { ...skillText, description: "The situation, so that a similar one is recognized." },
      lesson: { ...skillText, description: "What to do, or to avoid, in such a situation." },
      tool_name: { ...toolName, description: "The tool that the lesson is about. Default: none." },
    },
    roles: ["writer"],
    effects: { readOnly: false },
    async run({ tool_name: name, ...skill }, { namespace, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const stored = await skills.store(
        {
          ...{ namespace, ...skill },
          ...(name !== undefined && { toolName: name }),
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        },
        call,
      );
      return stored === undefined
        ? failure("Error: skills are off on this server, so the lesson was not stored")
        : success(`Stored skill '${stored.known.skill.id}'`);
    },
  });
}

function reportSkillTool(skills: SkillService): Tool {
  return defineTool({
    name: "report_skill",
    description: "Report whether a lesson from retrieve_skills helped, so that useful ones stay.",
    parameters: {
      id: {
        type: "string",
        minBytes: 1,
        maxBytes: 128,
        description: "The id of the lesson, as retrieve_skills shows it.",
      },
      helped: { type: "boolean", description: "True: it helped. False: it did not." },
    },
    roles: ["writer"],
    effects: { readOnly: false },
    async run({ id, helped }, { namespace, idempotencyKey, call }) {
      if (namespace === undefined) return noUser;
      const { updated, successCount, failureCount } = await skills.updateSuccessCount(
        {
          ...{ namespace, id, increment: helped ? 1 : 0, failureIncrement: helped ? 0 : 1 },
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        },
        call,
      );
      if (!updated) return failure(`Error: Skill '${id}' not found`);
      const counts = `${countPhrase(successCount, "success", "successes")}, ${countPhrase(failureCount, "failure")}`;
      return success(`Skill '${id}' now has ${counts}`);
    },
  });
}

function inLine(text: string): string {
  return replaceLineBreaks(text, " ");
}

/** Indents further lines, so that no text looks like another item of the list. */
function indented(text: string): string {
  return replaceLineBreaks(text, "\n  ");
}

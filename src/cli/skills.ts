import type { Command } from "commander";
import {
  DeleteSkillResponseSchema,
  type Skill,
  SkillSchema,
} from "#gen/vademecum/v1/skill_service_pb.js";
import {
  callServer,
  groupCommand,
  namespaceCommand,
  namespaceOf,
  printReply,
  type ServerCall,
} from "./client-command.js";
import type { CommandIo } from "./command-io.js";
import { instantText } from "./memory-text.js";
import { addPageOptions, type PageFlags, printPages } from "./print-pages.js";
import { indentLines, printable, printableLine } from "./printable.js";
import { hasShortId, isWholeId, missing, onlyOne } from "./short-ids.js";

const examples = `
Examples:
  $ vademecum skills list --user ada --agent sommelier --all
  $ vademecum skills delete --user ada --agent sommelier 4a5f60`;

/** Creates the command `skills`, which lists and deletes the lessons of an agent. */
export function skillsCommand(io: CommandIo): Command {
  const commands = [list(io), remove(io)];
  return groupCommand("skills", "List and delete what an agent has learned.", commands, examples);
}

function list(io: CommandIo): Command {
  const command = addPageOptions(namespaceCommand("list", "List skills, newest first."), "skills");
  return command.action(async () => {
    const namespace = namespaceOf(command, io);
    const { limit, ...pages } = command.opts<PageFlags>();
    await callServer(command, io, async ({ connection, options, json }) =>
      printPages(
        io,
        { json, ...pages },
        {
          schema: SkillSchema,
          toText: skillText,
          none: "No skills.",
          read: async (pageToken) => {
            const page = await connection.skills.listSkills(
              { namespace, limit, pageToken },
              options,
            );
            return { items: page.skills, nextPageToken: page.nextPageToken };
          },
        },
      ),
    );
  });
}

function remove(io: CommandIo): Command {
  const command = namespaceCommand("delete", "Delete a skill.").argument("<id>", "The skill's id.");
  return command.action(async (given: string) => {
    const namespace = namespaceOf(command, io);
    await callServer(command, io, async (call) => {
      const id = isWholeId(given) ? given : await findSkill(call, namespace, given);
      const request = { namespace, id };
      const reply = await call.connection.skills.deleteSkill(request, call.options);
      const text = reply.deleted ? `Deleted ${id}.` : `Nothing to delete: there is no skill ${id}.`;
      await printReply(io, call, DeleteSkillResponseSchema, reply, text);
    });
  });
}

/** Returns the id of the skill that a shortened id names. */
async function findSkill(
  { connection, options }: ServerCall,
  namespace: ReturnType<typeof namespaceOf>,
  given: string,
): Promise<string> {
  const found: Skill[] = [];
  let pageToken = "";
  do {
    const page = await connection.skills.listSkills({ namespace, limit: 1000, pageToken }, options);
    found.push(...page.skills.filter(({ id }) => hasShortId(id, given)));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  const skill = onlyOne(
    found.map(({ id }) => ({ id })),
    given,
    "skills",
  );
  return skill?.id ?? missing(given, "this namespace has no skill", "skills list");
}

function skillText(skill: Skill): string {
  const facts = [
    skill.id,
    ...(skill.toolName === undefined ? [] : [`tool ${printableLine(skill.toolName)}`]),
    `${skill.successCount} successes, ${skill.failureCount} failures`,
    instantText(skill.createTime),
  ];
  return printable(
    `${indentLines(skill.context)}\n    ${indentLines(skill.lesson)}\n  ${facts.join(" · ")}`,
  );
}

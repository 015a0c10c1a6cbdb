import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import { CancelJobResponseSchema, type Job, JobSchema } from "#gen/vademecum/v1/server_pb.js";
import {
  callServer,
  clientCommand,
  groupCommand,
  printReply,
  type ServerCall,
} from "./client-command.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { jobText } from "./job-text.js";

const examples = `
Examples:
  $ vademecum jobs
  $ vademecum jobs --json
  $ vademecum jobs cancel 12

Needs the role operator. Shows the jobs of your tenant on the server that answers: those that run,
and up to 100 that have ended since it was started.`;

/** Creates the command `jobs`, which lists and cancels the long work of a server. */
export function jobsCommand(io: CommandIo): Command {
  const group = groupCommand(
    "jobs",
    "List and cancel long work of a server, such as reindexing and backups. Alone: list.",
    [cancel(io)],
    examples,
  );
  return group.addCommand(list(io), { isDefault: true });
}

function list(io: CommandIo): Command {
  const command = clientCommand(
    "list",
    "List the jobs that run and that have ended, newest first.",
  );
  return command.action(async () => {
    await callServer(command, io, async (call) => {
      const jobs = (await jobsOf(call)).toSorted((a, b) => Number(b.id) - Number(a.id));
      if (jobs.length === 0 && !call.json)
        io.stderr.write("no jobs since the server was started\n");
      const width = Math.max(...jobs.map(({ id }) => id.length));
      for (const job of jobs)
        await printReply(io, call, JobSchema, job, `${job.id.padStart(width)}  ${lineOf(job)}`);
    });
  });
}

function cancel(io: CommandIo): Command {
  const command = clientCommand("cancel", "Cancel a job: it ends at its next step.").argument(
    "<job>",
    "The number of the job, as `vademecum jobs` shows it.",
  );
  return command.action(async (job: string) => {
    await callServer(command, io, async (call) => {
      const reply = await call.connection.admin.cancelJob({ job }, call.options);
      if (!reply.cancelled) throw await notCancelled(job, call);
      await printReply(io, call, CancelJobResponseSchema, reply, `job ${job} is being cancelled`);
    });
  });
}

/** Returns the jobs that run, and those that have ended lately. */
async function jobsOf({ connection, options }: ServerCall): Promise<readonly Job[]> {
  for await (const { jobs } of connection.admin.watchJobs({}, options)) return jobs;
  return [];
}

/** Returns why a job was not cancelled. */
async function notCancelled(id: string, call: ServerCall): Promise<CommandFailure> {
  const job = (await jobsOf(call)).find((each) => each.id === id);
  if (job === undefined)
    return new CommandFailure(`there is no job ${id}; \`vademecum jobs\` lists the jobs`);
  const reason =
    job.endTime === undefined ? "a job of its kind cannot be cancelled" : "it has ended already";
  return new CommandFailure(`job ${id} (${jobText(job)}): ${reason}`);
}

function lineOf(job: Job): string {
  const { startTime, endTime, error } = job;
  const began = startTime === undefined ? "" : `  since ${timeText(startTime)}`;
  if (endTime === undefined) return `${jobText(job)}${began}`;
  const outcome = error === undefined ? "done" : `failed: ${error.message}`;
  return `${jobText(job)}  ended ${timeText(endTime)}, ${outcome}`;
}

function timeText(time: Timestamp): string {
  return timestampDate(time).toISOString();
}

import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import type { AuditSubject } from "../../core/ports/audit.js";
import { fieldValue } from "../validation/field-value.js";
import { namedIds } from "./named-ids.js";

/** Maximum number of subjects and of ids that one call names in the audit trail. */
const namesMax = 10;

/** Gathers whose data the messages of a call name. */
export interface SubjectList {
  /** Adds what a message names. */
  add(schema: DescMessage, message: Message): void;
  /** The users or runs, ten at most; one subject without either if the call names none. */
  subjects(): readonly AuditSubject[];
}

/** Creates an empty list. */
export function createSubjectList(): SubjectList {
  const byScope = new Map<string, AuditSubject>();
  return {
    add(schema, message) {
      if (byScope.size >= namesMax) return;
      for (const subject of subjectsIn(schema, message)) {
        const key = JSON.stringify([subject.user, subject.run]);
        if (!byScope.has(key)) byScope.set(key, subject);
      }
    },
    subjects: () => [...byScope.values()].slice(0, namesMax),
  };
}

/**
 * Returns whose data a message names: a subject for each of its users; if it names none, for each
 * of its runs.
 */
export function subjectsIn(schema: DescMessage, message: Message): readonly AuditSubject[] {
  const named = namedIds(schema, message);
  const idsOf = (wanted: string): readonly string[] =>
    named.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const users = idsOf("user");
  const [run] = idsOf("run");
  const [agent] = idsOf("agent");
  const ids = recordIdsIn(schema, message);
  const rest = { ...(agent !== undefined && { agent }), ...(ids.length > 0 && { ids }) };
  if (users.length > 0)
    return users.map((user) => ({ user, ...(run !== undefined && { run }), ...rest }));
  if (run !== undefined) return [{ run, ...rest }];
  return agent !== undefined || ids.length > 0 ? [rest] : [];
}

/** Returns the ids and labels of records that a message names, ten at most, at any depth. */
export function recordIdsIn(schema: DescMessage, message: Message): readonly string[] {
  const found: string[] = [];
  collect(schema, message, found);
  return found;
}

function collect(schema: DescMessage, message: Message, found: string[]): void {
  for (const field of fieldsWithRecords(schema)) {
    const value = fieldValue(message, field);
    if (value === undefined || value === "") continue;
    for (const each of field.fieldKind === "list" ? (value as unknown[]) : [value]) {
      if (found.length >= namesMax) return;
      if (field.message === undefined) found.push(each as string);
      else collect(field.message, each as Message, found);
    }
  }
}

/** Names of fields that hold ids or labels of records, of tools among them. */
const recordName = /^(?:id|ids|label)$|^(?:memory|proposal|skill|tool|block)_(?:id|ids|label)$/;

const fieldsBySchema = new WeakMap<DescMessage, readonly DescField[]>();

/** Returns the fields that hold ids of records, or messages that contain some. */
function fieldsWithRecords(schema: DescMessage): readonly DescField[] {
  const known = fieldsBySchema.get(schema);
  if (known !== undefined) return known;
  // Sets an empty list first, because a message may contain its own type.
  fieldsBySchema.set(schema, []);
  const fields = schema.fields.filter((field) => {
    if (field.fieldKind === "map") return false;
    if (field.message !== undefined) return fieldsWithRecords(field.message).length > 0;
    return field.scalar === ScalarType.STRING && recordName.test(field.name);
  });
  fieldsBySchema.set(schema, fields);
  return fields;
}

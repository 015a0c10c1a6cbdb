import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import {
  type ListSkillsRequestSchema,
  type PruneStaleResponse,
  type RetrieveSkillsRequestSchema,
  type RetrieveSkillsResponse,
  type Skill,
  SkillService,
  type StoreSkillRequestSchema,
  type StoreSkillResponse,
  type UpdateSuccessCountRequestSchema,
  type UpdateSuccessCountResponse,
} from "#gen/vademecum/v1/skill_service_pb.js";
import { type NamespaceName, required } from "./namespace-client.js";
import type { Connection } from "./protocols.js";

/** Fields of a StoreSkill besides namespace, context and lesson. */
export type StoreFields = Omit<
  MessageInitShape<typeof StoreSkillRequestSchema>,
  "namespace" | "context" | "lesson" | "$typeName"
>;
/** Fields of a RetrieveSkills besides namespace and query. */
export type RetrieveFields = Omit<
  MessageInitShape<typeof RetrieveSkillsRequestSchema>,
  "namespace" | "query" | "$typeName"
>;
/** Fields of a ListSkills besides the namespace. */
export type ListFields = Omit<
  MessageInitShape<typeof ListSkillsRequestSchema>,
  "namespace" | "$typeName"
>;
/** Fields of an UpdateSuccessCount besides namespace and id. */
export type CountFields = Omit<
  MessageInitShape<typeof UpdateSuccessCountRequestSchema>,
  "namespace" | "id" | "$typeName"
>;

/** Calls about the skills of one namespace. */
export interface SkillClient {
  readonly namespace: NamespaceName;
  readonly service: Client<typeof SkillService>;
  store(context: string, lesson: string, fields?: StoreFields): Promise<StoreSkillResponse>;
  /** Stores a skill and returns it. */
  skill(context: string, lesson: string, fields?: StoreFields): Promise<Skill>;
  retrieve(query: string, fields?: RetrieveFields): Promise<RetrieveSkillsResponse>;
  /** Lessons of the retrieved skills, in order. */
  lessons(query: string, fields?: RetrieveFields): Promise<string[]>;
  /** All skills, from all pages. */
  list(fields?: ListFields): Promise<Skill[]>;
  /** One skill as ListSkills returns it. */
  read(id: string): Promise<Skill | undefined>;
  delete(id: string, idempotencyKey?: string): Promise<boolean>;
  count(id: string, fields?: CountFields): Promise<UpdateSuccessCountResponse>;
  prune(dryRun: boolean, idempotencyKey?: string): Promise<PruneStaleResponse>;
}

/** Creates the client of a namespace's skills. */
export function createSkillClient(
  { transport }: Connection,
  namespace: NamespaceName,
): SkillClient {
  const service = createClient(SkillService, transport);
  const keyed = (idempotencyKey: string | undefined) =>
    idempotencyKey === undefined ? {} : { idempotencyKey };
  const store = (context: string, lesson: string, fields: StoreFields = {}) =>
    service.storeSkill({ ...fields, namespace, context, lesson });
  const retrieve = (query: string, fields: RetrieveFields = {}) =>
    service.retrieveSkills({ ...fields, namespace, query });
  const list = async (fields: ListFields = {}) => {
    const skills: Skill[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page = await service.listSkills({
        limit: 1000,
        ...fields,
        namespace,
        pageToken: token,
      });
      skills.push(...page.skills);
      token = page.nextPageToken === "" ? undefined : page.nextPageToken;
    }
    return skills;
  };
  return {
    namespace,
    service,
    store,
    skill: async (context, lesson, fields) =>
      required((await store(context, lesson, fields)).skill, "StoreSkill answered without a skill"),
    retrieve,
    lessons: async (query, fields) =>
      (await retrieve(query, fields)).skills.map(({ skill }) => skill?.lesson ?? ""),
    list,
    read: async (id) => (await list()).find((skill) => skill.id === id),
    delete: async (id, idempotencyKey) =>
      (await service.deleteSkill({ namespace, id, ...keyed(idempotencyKey) })).deleted,
    count: (id, fields = {}) => service.updateSuccessCount({ ...fields, namespace, id }),
    prune: (dryRun, idempotencyKey) =>
      service.pruneStale({ namespace, dryRun, ...keyed(idempotencyKey) }),
  };
}

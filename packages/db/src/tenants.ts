import { z } from "zod";

// Prisma's runtime data model is not part of its public types; it is parsed, so that a change of it fails at once.
const DataModel = z.object({
  models: z.record(
    z.string(),
    z.object({
      dbName: z.string().nullable(),
      fields: z.array(z.object({ name: z.string(), kind: z.string(), type: z.string() })),
    }),
  ),
});

/** What the guard knows of one model. */
export type GuardedModel = {
  /** Carries `teamId`: every query has to name the team. */
  tenant: boolean;
  /** Its fields that lead to other models. */
  relations: ReadonlySet<string>;
};

/** The models as the guard sees them, and the names of the tables that belong to a team. */
export type Tenancy = { models: ReadonlyMap<string, GuardedModel>; tables: ReadonlySet<string> };

/** Reads from the generated client which models carry `teamId`: a new model is guarded without anybody listing it. */
export function tenancyOf(client: object): Tenancy {
  const dataModel = DataModel.parse(Reflect.get(client, "_runtimeDataModel"));
  const models = new Map<string, GuardedModel>();
  const tables = new Set<string>();
  for (const [name, { dbName, fields }] of Object.entries(dataModel.models)) {
    const tenant = fields.some((field) => field.name === "teamId");
    const relations = fields.filter((field) => field.kind === "object").map((field) => field.name);
    models.set(name, { tenant, relations: new Set(relations) });
    if (tenant) tables.add(dbName ?? name);
  }
  return { models, tables };
}

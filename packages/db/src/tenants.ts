import { dataModel } from "./generated/data-model.ts";

/** A model as the tenant guard sees it. */
export type GuardedModel = {
  /** Has `teamId`, so every query must name the team. */
  tenant: boolean;
  /** Its fields that are other models. */
  relations: ReadonlySet<string>;
};

/** The models as the tenant guard sees them, and the names of the tenant tables. */
export type Tenancy = { models: ReadonlyMap<string, GuardedModel>; tables: ReadonlySet<string> };

/** Reads the tenancy from what was generated with the client, so a new model is guarded without being listed. */
export function readTenancy(): Tenancy {
  const models = new Map<string, GuardedModel>();
  const tables = new Set<string>();
  for (const [name, { dbName, fields }] of Object.entries(dataModel)) {
    const tenant = fields.some((field) => field.name === "teamId");
    const relations = fields.filter((field) => field.kind === "object").map((field) => field.name);
    models.set(name, { tenant, relations: new Set(relations) });
    if (tenant) tables.add(dbName ?? name);
  }
  return { models, tables };
}

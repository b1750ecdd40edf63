import type { GuardedModel, Tenancy } from "./tenants.ts";

/** A query on a tenant table that does not name its team. A defect of the calling code, never of the input. */
export class TenantGuardError extends Error {
  override readonly name = "TenantGuardError";
}

/** Throws a `TenantGuardError` unless the operation names the team wherever it selects or writes rows. */
export type TenantGuard = (model: string, operation: string, args: unknown) => void;

type Part = Record<string, unknown>;

/**
 * Returns the guard of these models. It requires a literal team: `teamId: undefined` (which Prisma drops), `not` and `in`
 * name none. It refuses writes through relations, which could move a row to another team.
 */
export function tenantGuard(tenancy: Tenancy): TenantGuard {
  return (model, operation, args) => {
    const known = tenancy.models.get(model);
    if (known === undefined) throw new TenantGuardError(`unknown model ${model}`);
    const problem = known.tenant ? tenantProblem(known, operation, asPart(args)) : outsideProblem(known, asPart(args));
    if (problem !== null) throw new TenantGuardError(`${model}.${operation}: ${problem}`);
  };
}

function tenantProblem(model: GuardedModel, operation: string, args: Part): string | null {
  switch (operation) {
    case "create":
      return writeProblem(model, asPart(args.data), undefined);
    case "createMany":
    case "createManyAndReturn":
      return createManyProblem(model, args.data);
    case "upsert":
      return upsertProblem(model, args);
    case "update":
    case "updateMany":
    case "updateManyAndReturn":
      return updateProblem(model, teamOfWhere(args.where), asPart(args.data));
    default:
      return teamOfWhere(args.where) === undefined ? "where does not name the team" : null;
  }
}

function createManyProblem(model: GuardedModel, data: unknown): string | null {
  for (const row of Array.isArray(data) ? data : [data]) {
    const problem = writeProblem(model, asPart(row), undefined);
    if (problem !== null) return problem;
  }
  return null;
}

function upsertProblem(model: GuardedModel, args: Part): string | null {
  const team = teamOfWhere(args.where);
  return updateProblem(model, team, asPart(args.update)) ?? writeProblem(model, asPart(args.create), team);
}

function updateProblem(model: GuardedModel, team: string | undefined, data: Part): string | null {
  if (team === undefined) return "where does not name the team";
  if (data.teamId !== undefined && data.teamId !== team) return "a row cannot change its team";
  return relationProblem(model, data);
}

function writeProblem(model: GuardedModel, data: Part, team: string | undefined): string | null {
  if (typeof data.teamId !== "string") return "data does not name the team";
  if (team !== undefined && data.teamId !== team) return "data and where name different teams";
  return relationProblem(model, data);
}

function relationProblem(model: GuardedModel, data: Part): string | null {
  for (const key in data) {
    if (data[key] !== undefined && model.relations.has(key))
      return `${key} is written through a relation; write it through its own model`;
  }
  return null;
}

// Tables without a team may be queried freely, but not joined with tenant tables.
function outsideProblem(model: GuardedModel, args: Part): string | null {
  const parts = [args.include, args.select, args.where, args.data, args.create, args.update];
  for (const part of parts) {
    for (const key in asPart(part)) {
      if (model.relations.has(key)) return `${key} leads to rows of a tenant table`;
    }
  }
  return null;
}

/** Returns the team that a `where` names: directly, in its composite key, or in a condition of `AND`. */
function teamOfWhere(where: unknown): string | undefined {
  const part = asPart(where);
  const direct = literal(part.teamId);
  if (direct !== undefined) return direct;
  for (const key in part) {
    if (key.startsWith("teamId_")) return literal(asPart(part[key]).teamId);
  }
  if (part.AND === undefined) return undefined;
  for (const inner of Array.isArray(part.AND) ? part.AND : [part.AND]) {
    const team = teamOfWhere(inner);
    if (team !== undefined) return team;
  }
  return undefined;
}

function literal(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const equals = asPart(value).equals;
  return typeof equals === "string" ? equals : undefined;
}

/** Treats any value as an object; values that are not objects have no keys. */
function asPart(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {};
}

import { builtInGroups, hashPassword } from "@kb/auth";
import { newId, sql, type Tx } from "@kb/db";
import { recordAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { invoke } from "../invoke.ts";
import { Email, Name, Password } from "../schema/names.ts";
import { updateTeam } from "../team/team.ts";
import { addUser, nameFrom } from "../users/add.ts";
import { systemActor } from "./actor.ts";
import { parseField } from "./fields.ts";
import { countTeams, findTeam, type TeamSummary } from "./find.ts";

/** The input of `createTeam`. */
export type NewTeam = {
  name: string;
  adminEmail: string;
  adminName?: string | undefined;
  adminPassword?: string | undefined;
  mcpEnabled?: boolean | undefined;
};

/** A team with its first admin. */
export type CreatedTeam = { id: string; name: string; adminId: string; adminEmail: string };

// Any constant works if all processes use the same: it lets only one of several first starts create the team.
const teamsLock = 4_811_201;

/**
 * Creates a team with its clock, the four built-in groups and an admin. The admin of the first team of an installation
 * is its system admin.
 * @throws {ServiceError} `validation_error`, or `conflict` when the e-mail address is taken.
 */
export async function createTeam(service: Service, input: NewTeam): Promise<CreatedTeam> {
  const team = await checkedTeam(service, input);
  return service.database.transaction(async (tx) => {
    await lockTeams(tx);
    return insertTeam(tx, team, (await tx.team.count()) === 0);
  });
}

/**
 * Creates the first team of an installation; returns null when one exists. When several processes start on an empty
 * database, exactly one creates it.
 */
export async function createFirstTeam(service: Service, input: NewTeam): Promise<CreatedTeam | null> {
  if ((await countTeams(service)) > 0) return null;
  const team = await checkedTeam(service, input);
  return service.database.transaction(async (tx) => {
    await lockTeams(tx);
    return (await tx.team.count()) > 0 ? null : insertTeam(tx, team, true);
  });
}

type CheckedTeam = {
  name: string;
  adminEmail: string;
  adminName: string;
  passwordHash: string | null;
  mcpEnabled: boolean;
  at: Date;
};

async function checkedTeam(service: Service, input: NewTeam): Promise<CheckedTeam> {
  const { adminName, adminPassword } = input;
  const adminEmail = parseField("adminEmail", Email, input.adminEmail);
  return {
    name: parseField("name", Name, input.name),
    adminEmail,
    adminName: parseField("adminName", Name, adminName ?? nameFrom(adminEmail)),
    passwordHash:
      adminPassword === undefined ? null : await hashPassword(parseField("adminPassword", Password, adminPassword)),
    mcpEnabled: input.mcpEnabled ?? false,
    at: service.clock.now(),
  };
}

async function lockTeams(tx: Tx): Promise<void> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(${teamsLock}::bigint)`);
}

async function insertTeam(tx: Tx, team: CheckedTeam, systemAdmin: boolean): Promise<CreatedTeam> {
  const { name, adminEmail, adminName, passwordHash, mcpEnabled, at } = team;
  const teamId = newId();
  await tx.team.create({ data: { id: teamId, name, mcpEnabled, createdAt: at } });
  const groups = Object.entries(builtInGroups).map(([builtIn, group]) => ({
    teamId,
    id: newId(),
    name: group.name,
    builtIn,
    capabilities: [...group.capabilities],
    createdAt: at,
  }));
  await tx.group.createMany({ data: groups });
  const admins = groups.find((group) => group.builtIn === "admins");
  if (admins === undefined) throw new Error("a team has no group of admins");
  const adminId = newId();
  const user = { teamId, id: adminId, email: adminEmail, name: adminName, passwordHash, systemAdmin };
  await addUser(tx, { ...user, at, groupIds: [admins.id] });
  await recordAudit(tx, {
    teamId,
    at,
    userId: null,
    credential: { kind: "system", id: "kb" },
    action: "team.create",
    outcome: "success",
    target: { type: "team", id: teamId },
  });
  return { id: teamId, name, adminId, adminEmail };
}

/** Switches MCP on or off in a team. Returns the team after the change. */
export async function setMcp(service: Service, team: string | undefined, enabled: boolean): Promise<TeamSummary> {
  const found = await findTeam(service, team);
  const { id, name, mcpEnabled } = await invoke(service, updateTeam, await systemActor(service, found.id), {
    mcpEnabled: enabled,
  });
  return { id, name, mcpEnabled };
}

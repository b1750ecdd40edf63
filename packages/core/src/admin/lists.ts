import type { Service } from "../context.ts";
import { listGroups as listGroupsOfTeam } from "../groups/list.ts";
import { invoke } from "../invoke.ts";
import { listApiKeys as listKeysOfTeam } from "../keys/read.ts";
import { listUsers as listUsersOfTeam } from "../users/list.ts";
import { systemActor } from "./actor.ts";
import { findGroup, findTeam } from "./find.ts";
import { findUser } from "./users.ts";

const pageSize = 100;

type Paging = { readonly limit: number; readonly offset: number };
type PageOf<Row> = { readonly total: number; readonly data: readonly Row[] };

/** Reads a list of the app to its end. */
async function readAll<Row>(readPage: (page: Paging) => Promise<PageOf<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { total, data } = await readPage({ limit: pageSize, offset: rows.length });
    rows.push(...data);
    if (data.length === 0 || rows.length >= total) return rows;
  }
}

/** Lists the users of a team by name, or those of a group; with `suspended` only the suspended ones, or only the others. */
export async function listUsers(
  service: Service,
  {
    team,
    group,
    suspended,
  }: { team?: string | undefined; group?: string | undefined; suspended?: boolean | undefined },
) {
  const { id: teamId } = await findTeam(service, team);
  const actor = await systemActor(service, teamId);
  const groupId = group === undefined ? undefined : (await findGroup(service, teamId, group)).id;
  return readAll((page) => invoke(service, listUsersOfTeam, actor, { groupId, suspended, ...page }));
}

/** Lists the groups of a team: the built-in ones, then the custom ones by name. */
export async function listGroups(service: Service, team: string | undefined) {
  const { id: teamId } = await findTeam(service, team);
  const actor = await systemActor(service, teamId);
  return readAll((page) => invoke(service, listGroupsOfTeam, actor, page));
}

/** Lists the API keys of a team, newest first, or those of a user; revoked ones only with `revoked`. */
export async function listApiKeys(
  service: Service,
  {
    team,
    userEmail,
    revoked = false,
  }: { team?: string | undefined; userEmail?: string | undefined; revoked?: boolean },
) {
  const owner = userEmail === undefined ? undefined : await findUser(service, userEmail);
  const teamId = owner?.teamId ?? (await findTeam(service, team)).id;
  const actor = await systemActor(service, teamId);
  return readAll((page) => invoke(service, listKeysOfTeam, actor, { userId: owner?.id, revoked, ...page }));
}

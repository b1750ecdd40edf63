import type { Actor } from "@kb/auth";
import { admin, type Service } from "@kb/core";

/** In whose name a command works, as its options say. */
export type Acting = { readonly user?: string; readonly team?: string };

/** The named user, else the first admin of the team. */
export async function actorOf(service: Service, { user, team }: Acting): Promise<Actor> {
  if (user === undefined) return admin.systemActor(service, (await admin.findTeam(service, team)).id);
  const { teamId, id } = await admin.findUser(service, user);
  return admin.systemActor(service, teamId, id);
}

import { raw, type Sql, sql } from "@kb/db";
import type { Service } from "../context.ts";
import type { StorageBytes, StorageKind } from "./quotas.ts";

/** The id under which the usage of a whole team is stored, beside those of its users. */
export const wholeTeam = "00000000-0000-0000-0000-000000000000";

/** The usage `u` as numbers of bytes. */
export const usageColumns: Sql = sql`u."documentBytes"::float8 AS documents, u."revisionBytes"::float8 AS revisions,
  u."attachmentBytes"::float8 AS attachments`;

/** The stored bytes of a team. */
export type TeamUsage = StorageBytes & {
  readonly teamId: string;
  readonly team: string;
  /** Of the files of imports that wait, go on, or can be continued. */
  readonly imports: number;
  /** Of each kind, the bytes of the user who has most. */
  readonly mostOfUser: StorageBytes & { readonly imports: number };
};

/** Returns the stored bytes of each team, the oldest team first. */
export function readTeamUsages({ database }: Pick<Service, "database">): Promise<TeamUsage[]> {
  return database.acrossTeams.rows<TeamUsage>(sql`
    SELECT t.id AS "teamId", t.name AS team, COALESCE(u.documents, 0) AS documents, COALESCE(u.revisions, 0) AS revisions,
      COALESCE(u.attachments, 0) AS attachments,
      COALESCE(n.bytes, 0) AS imports,
      (SELECT ${bytesByKind("max", false)} || jsonb_build_object('imports', COALESCE(n.most, 0)) FROM (SELECT ${usageColumns}, u."userId" = ${wholeTeam}::uuid AS "isTeam"
          FROM storage_usage u WHERE u."teamId" = t.id) u) AS "mostOfUser"
    FROM teams t LEFT JOIN LATERAL (SELECT ${usageColumns} FROM storage_usage u
      WHERE u."teamId" = t.id AND u."userId" = ${wholeTeam}::uuid) u ON true
    LEFT JOIN LATERAL (SELECT sum(i.bytes)::float8 AS bytes, max(i.bytes)::float8 AS most FROM (SELECT sum(i.size) AS bytes
      FROM imports i WHERE i."teamId" = t.id AND i."storageKey" IS NOT NULL GROUP BY i."userId") i) n ON true
    ORDER BY t."createdAt", t.id`);
}

/** The stored bytes of an installation. */
export type InstallationUsage = {
  readonly total: StorageBytes;
  /** Of each kind, the bytes of the team, and of the user, who has most. */
  readonly most: { readonly team: StorageBytes; readonly user: StorageBytes };
};

/** Returns the stored bytes of all teams together, and of the fullest. */
export async function readInstallationUsage({ database }: Pick<Service, "database">): Promise<InstallationUsage> {
  const [row] = await database.acrossTeams.rows<{ [Part in "total" | "team" | "user"]: StorageBytes }>(sql`
    SELECT ${bytesByKind("sum", true)} AS total, ${bytesByKind("max", true)} AS team, ${bytesByKind("max", false)} AS user
    FROM (SELECT ${usageColumns}, u."userId" = ${wholeTeam}::uuid AS "isTeam" FROM storage_usage u) u`);
  const { total = noBytes, team = noBytes, user = noBytes } = row ?? {};
  return { total, most: { team, user } };
}

const noBytes: StorageBytes = { documents: 0, revisions: 0, attachments: 0 };

/** Returns the sum or the maximum of each kind over the usages `u` of teams, or over those of users. */
function bytesByKind(aggregate: "sum" | "max", isTeam: boolean): Sql {
  const of = (kind: StorageKind): Sql =>
    sql`COALESCE(${raw(aggregate)}(u.${raw(kind)}) FILTER (WHERE u."isTeam" = ${isTeam}), 0)`;
  return sql`jsonb_build_object('documents', ${of("documents")}, 'revisions', ${of("revisions")},
    'attachments', ${of("attachments")})`;
}

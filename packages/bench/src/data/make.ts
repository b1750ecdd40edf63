import { admin, type Service } from "@kb/core";
import { connect } from "@kb/db";
import pg from "pg";
import { fillTeams } from "./fill.ts";

/** The team to query, and its users. */
export const teamName = "Bench";
export const emails = {
  admin: "admin@bench.example",
  editor: "editor@bench.example",
  viewer: "viewer@bench.example",
} as const;

/** The number of other teams, each with a tenth of its documents. */
const otherTeams = 3;
const daysOld = 730;

/** Fills a migrated database that has the schema `source` with a team of `count` documents and other teams. */
export async function makeDataSet(url: string, count: number, onProgress: (message: string) => void): Promise<void> {
  const database = connect({ url });
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  const from = Date.now() - daysOld * 24 * 3_600_000;
  try {
    const team = await admin.createTeam(service, { name: teamName, adminEmail: emails.admin, mcpEnabled: true });
    const people = [
      await admin.createUser(service, { email: emails.editor, name: "Editor", group: "Editors", team: teamName }),
      await admin.createUser(service, { email: emails.viewer, name: "Viewer", group: "Viewers", team: teamName }),
    ];
    const plans = [{ teamId: team.id, authors: [team.adminId, ...people.map(({ id }) => id)], count, from }];
    for (let n = 0; n < otherTeams; n += 1) {
      const other = await admin.createTeam(service, { name: `Beside ${n}`, adminEmail: `beside-${n}@bench.example` });
      plans.push({ teamId: other.id, authors: [other.adminId], count: Math.ceil(count / 10), from: from + n });
    }
    await fillTeams(url, plans, onProgress);
    await grantAndRestrict(url, team.id);
  } finally {
    await database.close();
  }
}

/** Opens half of the restricted collections to the group of editors, a tenth of the hidden ones to the viewer, and a tag. */
async function grantAndRestrict(url: string, teamId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO collection_grants ("teamId", id, "collectionId", "groupId", level)
        SELECT c."teamId", gen_random_uuid(), c.id, g.id, 'write' FROM collections c
        JOIN groups g ON g."teamId" = c."teamId" AND g."builtIn" = 'editors'
        WHERE c."teamId" = $1 AND c."defaultAccess" <> 'write' AND c."sortOrder"::int % 20 < 10`,
      [teamId],
    );
    await client.query(
      `INSERT INTO collection_grants ("teamId", id, "collectionId", "userId", level)
        SELECT c."teamId", gen_random_uuid(), c.id, u.id, 'read' FROM collections c
        JOIN users u ON u."teamId" = c."teamId" AND u.email = $2
        WHERE c."teamId" = $1 AND c."defaultAccess" = 'none' AND c."sortOrder"::int % 100 = 9`,
      [teamId, emails.viewer],
    );
    await client.query(
      `INSERT INTO tag_grants ("teamId", id, "tagId", "groupId") SELECT t."teamId", gen_random_uuid(), t.id, g.id FROM tags t
        JOIN groups g ON g."teamId" = t."teamId" AND g."builtIn" = 'editors' WHERE t."teamId" = $1 AND t.restricted`,
      [teamId],
    );
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

import { sql } from "@kb/db";
import { z } from "zod";
import { Me, meOf } from "../me.ts";
import { query } from "../operation.ts";
import { Profile, readProfile } from "./profile.ts";
import { requireSession } from "./require-session.ts";

const Team = z.object({ id: z.uuid(), name: z.string(), mcpEnabled: z.boolean() });

/** Returns what a page of the app needs first: the user, and the token that the page sends back with every change. */
export const getSession = query({
  name: "auth.me",
  summary: "Get the logged-in user, their team and the CSRF token",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ user: Me, profile: Profile, team: Team, csrfToken: z.string() }),
  async run({ reader, actor, passwordLogIn }) {
    const { csrfToken } = requireSession(actor);
    const [team] = await reader.rows<z.output<typeof Team>>(
      sql`SELECT id, name, "mcpEnabled" FROM teams WHERE id = ${actor.teamId}::uuid`,
    );
    if (team === undefined) throw new Error("the team of a session does not exist");
    return { user: meOf(actor), profile: await readProfile(reader, actor, { passwordLogIn }), team, csrfToken };
  },
});

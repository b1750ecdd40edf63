import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { Me, meOf } from "../me.ts";
import { query } from "../operation.ts";

const Team = z.object({ id: z.uuid(), name: z.string(), mcpEnabled: z.boolean() });

/** What a page of the app asks first: who is here, and the token that it sends back with every change. */
export const getSession = query({
  name: "auth.me",
  summary: "Get the user who is logged in, their team, and the CSRF token",
  description: "`csrfToken` goes back as `X-CSRF-Token` with whatever changes something. This call alone needs none.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.object({ user: Me, team: Team, csrfToken: z.string() }),
  async run({ database, actor, call }) {
    const where = { id: actor.teamId };
    const select = { id: true, name: true, mcpEnabled: true };
    const team = await database.client.team.findUniqueOrThrow({ where, select });
    if (call.csrfToken === undefined) throw new ServiceError("forbidden", "This tells of a log-in, and there is none.");
    return { user: meOf(actor), team, csrfToken: call.csrfToken };
  },
});

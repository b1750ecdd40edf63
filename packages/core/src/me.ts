import { type Actor, holds } from "@kb/auth";
import { z } from "zod";
import { query } from "./operation.ts";

/** The caller. `role` is deprecated in favor of `capabilities`. */
export const Me = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.email(),
    teamId: z.uuid(),
    role: z.enum(["admin", "member", "viewer"]).meta({ deprecated: true }),
    capabilities: z.array(z.string()),
  })
  .meta({ id: "User" });

function roleOf(actor: Actor): "admin" | "member" | "viewer" {
  if (holds(actor, "settings.team_edit")) return "admin";
  return holds(actor, "document.create") ? "member" : "viewer";
}

/** Returns the caller as clients see them. */
export function meOf(actor: Actor): z.input<typeof Me> {
  return {
    id: actor.userId,
    name: actor.userName,
    email: actor.email,
    teamId: actor.teamId,
    role: roleOf(actor),
    capabilities: actor.systemAdmin ? ["*"] : [...actor.capabilities],
  };
}

/** Returns the caller and their permissions. */
export const getMe = query({
  name: "me.get",
  summary: "Get the authenticated user",
  scope: "read",
  capability: null,
  input: z.strictObject({}),
  output: Me,
  run: async ({ actor }) => meOf(actor),
});

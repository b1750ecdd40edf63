import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { readPage } from "../read-page.ts";
import { Limit, Offset, pageOf } from "../schema/paging.ts";
import {
  Invitation,
  type InvitationRow,
  invitationColumns,
  invitationSource,
  presentInvitation,
} from "./invitation.ts";

/** Lists the open invitations, the latest first, with those that have expired. */
export const listInvitations = query({
  name: "invitations.list",
  summary: "List the open invitations",
  description: "The latest first. An expired one stays until it is sent again or revoked, for 30 days at most.",
  scope: "read",
  capability: "settings.members",
  sessionOnly: true,
  input: z.strictObject({ limit: Limit, offset: Offset }),
  output: pageOf(Invitation),
  run: ({ reader, actor, now }, page) => {
    const list = {
      columns: invitationColumns,
      from: sql`${invitationSource} WHERE i."teamId" = ${actor.teamId}::uuid`,
      orderBy: sql`i."createdAt" DESC, i.id DESC`,
    };
    return readPage<InvitationRow, z.input<typeof Invitation>>(reader, list, page, (row) =>
      presentInvitation(row, now),
    );
  },
});

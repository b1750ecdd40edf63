import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { LogNumber } from "./push.ts";

const input = z
  .strictObject({
    documentId: Id,
    tabId: Id,
    version: LogNumber.optional(),
    anchor: LogNumber.optional(),
    head: LogNumber.optional(),
    leave: z.boolean().optional(),
  })
  .superRefine(({ version, anchor, head }, context) => {
    const caret = { version, anchor, head };
    const missing = Object.entries(caret).filter(([, value]) => value === undefined);
    if (missing.length === 0 || missing.length === 3) return;
    for (const [name] of missing) {
      context.addIssue({
        code: "custom",
        path: [name],
        message: "Required: a caret is `version`, `anchor` and `head`",
      });
    }
  });

/** Tells others that a person has a document open, and where their caret is. */
export const tellPresence = query({
  name: "live.presence",
  summary: "Tell that you are in a document",
  description:
    "Shows you to the people who follow the document, as the event `presence` of `live.stream`: with your caret from `anchor` to `head` in the document at `version` if you may write, otherwise without. Nothing is stored: send it again when the caret moves and at least every 10 seconds, because you are gone after 30 seconds of silence, and with `leave` when you close the document. `shown` is false where the document already has 200 tabs, or 20 of yours.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input,
  output: z.object({ shown: z.boolean() }),
  async run({ reader, actor, live }, { documentId, tabId, version, anchor, head, leave }) {
    if (live === undefined) throw new ServiceError("unavailable", "This process serves no streams.");
    requireAccess(actor, "read", await findDocument(reader, actor, documentId, { text: false }));
    const caret =
      version === undefined || anchor === undefined || head === undefined ? null : { version, anchor, head };
    const { teamId, userId } = actor;
    const outcome = live.tell({ teamId, documentId, tabId, userId, caret, hasLeft: leave === true });
    if (outcome === "foreign") throw new ServiceError("conflict", "This tab id belongs to another user.");
    return { shown: outcome === "known" && leave !== true };
  },
});

import type { Actor } from "@kb/auth";
import { z } from "zod";
import { requireAccess } from "../documents/access.ts";
import { findDocument } from "../documents/row.ts";
import { ServiceError } from "../errors.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { LiveFollower, type LiveReceiver } from "./live-follower.ts";
import { LogNumber } from "./push.ts";

/** The log of a document as a stream, from a version on. */
export type LiveStream = {
  readonly actor: Actor;
  /** Feeds the receiver until the returned function is called. `reached` returns the last version that was sent. */
  readonly follow: (receiver: LiveReceiver) => { readonly stop: () => void; readonly reached: () => number };
};

/** Follows what others write in a document. */
export const streamLive = query({
  name: "live.stream",
  summary: "Follow a document that is edited live",
  description:
    "A stream of server-sent events. `batch` has a batch as `live.batches` returns it, with its version as `id`, in order and without gaps from `since` on; `saved` tells that all batches up to `version` are in the document, with its `revision` and `updatedAt`; `access` tells whether you may write, first and whenever it changes; `presence` has a person who is there, with `tabId`, `userId`, `name`, `color` (0 to 11), and `version`, `anchor` and `head` of their caret if they may write, or `tabId` and `leave` for one who has left; `reset` says that the log ended or does not reach back so far, and `gone` that the document is hidden or deleted: both end the stream. Access is checked four times a second. A client that reconnects with `Last-Event-ID` misses nothing.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({
    documentId: Id,
    lineage: Id,
    since: LogNumber,
    lastEventId: z
      .string()
      .regex(/^\d{1,10}$/, "Must be the id of an event of this stream")
      .optional(),
  }),
  output: z.custom<LiveStream>(),
  async run({ reader, actor, live }, { documentId, lineage, since, lastEventId }): Promise<LiveStream> {
    if (live === undefined) throw new ServiceError("unavailable", "This process serves no streams.");
    requireAccess(actor, "read", await findDocument(reader, actor, documentId, { text: false }));
    const version = lastEventId === undefined ? since : Number(lastEventId);
    return {
      actor,
      follow: (receiver) => {
        const follower = new LiveFollower(actor, documentId, { lineage, version }, receiver);
        return { stop: live.follow(follower), reached: () => follower.version };
      },
    };
  },
});

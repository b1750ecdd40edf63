import { sql } from "@kb/db";
import { z } from "zod";
import { findSettled } from "../live/find-settled.ts";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { charactersToRender, offload } from "../threads/offload.ts";
import { requireAccess } from "./access.ts";
import { findState, presentState, Revision, requireState } from "./revisions.ts";

/**
 * Reads one state of a document as its page shows it: the body as safe HTML, and what changed since the stored state
 * before it as the hunks of a unified diff of the Markdown. 3 statements.
 */
export const viewRevision = query({
  name: "documents.revisions.view",
  summary: "Get a revision of a document with everything that its page shows",
  description:
    "The HTML of the revision, as `documents.view` renders it, and what changed since the stored revision before it.",
  scope: "read",
  capability: "document.read",
  sessionOnly: true,
  input: z.strictObject({ id: Id, revision: z.int().min(1).max(2_147_483_647) }),
  output: Revision.extend({
    html: z.string(),
    /** The stored revision before it; null for the first. */
    previousRevision: z.int().nullable(),
    /** Unified diff of the Markdown; null for the first revision, empty if only other fields changed. */
    diff: z.string().nullable(),
  }).meta({ id: "ViewedRevision" }),
  async run(context, { id, revision }) {
    const { reader, actor } = context;
    requireAccess(actor, "read", await findSettled(context, actor, id, { text: false }));
    const state = await requireState(reader, actor, id, revision);
    const before = await findState(reader, actor, id, sql`r.revision < ${revision} ORDER BY r.revision DESC LIMIT 1`);
    const { content, markdown } = state;
    const html = await offload(actor.userId, "articleHtml", charactersToRender(content), { content });
    const compared = before && { before: before.markdown, after: markdown };
    return {
      ...presentState(state),
      html,
      previousRevision: before?.revision ?? null,
      diff: compared
        ? await offload(actor.userId, "diff", compared.before.length + compared.after.length, compared)
        : null,
    };
  },
});

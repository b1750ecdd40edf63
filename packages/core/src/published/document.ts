import { type ChannelDocumentFacts, type ChannelReader, channelFacts } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { toHtml } from "markdown-codec";
import { z } from "zod";
import { storedContent } from "../documents/save.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** A document as a channel shows it. */
export const PublishedDocument = z
  .object({
    id: z.uuid(),
    title: z.string(),
    emoji: z.string().nullable(),
    text: z.string().nullable(),
    collectionId: z.uuid().nullable(),
    publishedAt: Timestamp,
    updatedAt: Timestamp,
    markdownText: z.string().optional(),
    html: z.string().optional(),
  })
  .meta({ id: "PublishedDocument" });

/** A row of `documents d` with what the channel gives of its body. */
export type PublishedRow = {
  id: string;
  title: string;
  emoji: string | null;
  text: string;
  collectionId: string | null;
  publishedAt: Date | null;
  updatedAt: Date;
  markdown?: string;
  content?: unknown;
};

/** The select list of what the channel shows; `d` is the document, `b` its body. */
export function publishedColumns(channel: ChannelReader): Sql {
  return sql`d.id, d.title, d.emoji, b.text, d."collectionId", d."publishedAt", d."updatedAt"${
    channel.markdown ? sql`, b.markdown` : empty
  }${channel.html ? sql`, b.content` : empty}`;
}

/** The same with the facts of the policy, whatever it says of the document. */
export const publishedColumnsWithFacts = (channel: ChannelReader): Sql =>
  sql`${publishedColumns(channel)}, d."archivedAt", d."deletedAt", ${channelFacts(channel)}`;

export type PublishedRowWithFacts = PublishedRow & ChannelDocumentFacts;

/** The document as the contract shows it, in the forms that the channel's settings ask for. */
export function presentPublished(row: PublishedRow): z.input<typeof PublishedDocument> {
  if (row.publishedAt === null) throw new Error("a channel shows published documents alone");
  return {
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    text: row.text,
    collectionId: row.collectionId,
    publishedAt: timestamp(row.publishedAt),
    updatedAt: timestamp(row.updatedAt),
    ...(row.markdown === undefined ? {} : { markdownText: row.markdown }),
    ...(row.content === undefined ? {} : { html: toHtml(storedContent(row.content)) }),
  };
}

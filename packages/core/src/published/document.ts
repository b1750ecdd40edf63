import { type ChannelDocumentFacts, type ChannelReader, channelFacts } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import type { BodyParts, ListedBodies } from "../documents/body-parts.ts";
import { Timestamp, timestamp } from "../schema/text.ts";
import { charactersToRender, offload } from "../threads/offload.ts";

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

/** A row of `documents d` with the parts of the body that the channel shows. */
export type PublishedRow = {
  id: string;
  revision: number;
  title: string;
  emoji: string | null;
  text: string;
  collectionId: string | null;
  publishedAt: Date | null;
  updatedAt: Date;
  markdown?: string;
  /** Editor JSON as text. */
  content?: string;
};

/** Returns the parts of a body that the channel shows. */
export const publishedParts = ({ markdown, html }: ChannelReader): BodyParts => ({ markdown, content: html });

const whole: ListedBodies["parts"] = { text: sql`b.text`, markdown: sql`b.markdown`, content: sql`b.content` };

/**
 * Returns the select list of the fields that the channel shows; `d` is the document and `b` its body. A list passes the columns
 * of its bodies.
 */
export function publishedColumns(channel: ChannelReader, listed?: ListedBodies): Sql {
  const { text, markdown, content } = listed?.parts ?? whole;
  return sql`d.id, d.revision, d.title, d.emoji, ${text} AS text, d."collectionId", d."publishedAt", d."updatedAt"${
    channel.markdown ? sql`, ${markdown} AS markdown` : empty
  }${channel.html ? sql`, (${content})::text AS content` : empty}${listed === undefined ? empty : sql`, ${listed.columns}`}`;
}

/** Returns the same select list with the facts of the policy, whatever the policy decides. */
export const publishedColumnsWithFacts = (channel: ChannelReader): Sql =>
  sql`${publishedColumns(channel)}, d."archivedAt", d."deletedAt", ${channelFacts(channel)}`;

/** A published row with the facts that the policy needs. */
export type PublishedRowWithFacts = PublishedRow & ChannelDocumentFacts;

/** Returns the document as the contract shows it, in the forms that the channel's settings ask for. */
export async function presentPublished(
  channel: ChannelReader,
  row: PublishedRow,
): Promise<z.input<typeof PublishedDocument>> {
  if (row.publishedAt === null) throw new Error("a channel only shows published documents");
  return {
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    text: row.text,
    collectionId: row.collectionId,
    publishedAt: timestamp(row.publishedAt),
    updatedAt: timestamp(row.updatedAt),
    ...(row.markdown === undefined ? {} : { markdownText: row.markdown }),
    ...(row.content === undefined ? {} : { html: await htmlOf(channel, row.content) }),
  };
}

const htmlOf = (channel: ChannelReader, content: string): Promise<string> =>
  offload(channel.channelId, "html", charactersToRender(content), { content });

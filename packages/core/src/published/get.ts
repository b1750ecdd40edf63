import { channelDocuments, decideChannelDocument } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { fromDocuments } from "../documents/row.ts";
import { notFound } from "../errors.ts";
import { channelQuery } from "../operation.ts";
import { Id } from "../schema/text.ts";
import {
  PublishedDocument,
  type PublishedRowWithFacts,
  presentPublished,
  publishedColumnsWithFacts,
} from "./document.ts";

/** Reads a document of a channel. */
export const getPublished = channelQuery({
  name: "published.get",
  summary: "Get a published document",
  description: "Responds to a document outside the channel as to one that does not exist.",
  input: z.strictObject({ channelId: Id, id: Id }),
  output: PublishedDocument,
  async run({ reader, channel }, { id }) {
    // The statement applies the policy too: a hidden document is not read, so that response times reveal nothing.
    const [row] = await reader.rows<PublishedRowWithFacts>(sql`
      SELECT ${publishedColumnsWithFacts(channel)} FROM ${fromDocuments}
      WHERE d."teamId" = ${channel.teamId}::uuid AND d.id = ${id}::uuid AND ${channelDocuments(channel)}`);
    if (row === undefined || decideChannelDocument(channel, row) !== "allow") throw notFound("Document");
    return presentPublished(channel, row);
  },
});

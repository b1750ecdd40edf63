import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { fieldNotes } from "./field-notes.ts";

/** Below this path the readers of channels come in, and nobody else. */
export const published = "/api/v1/published";

/** A shared cache keeps nothing; the reader's own asks each time, by the `ETag`, whether it still holds. */
const headers = { "Cache-Control": "private, max-age=0, must-revalidate" };

/** What a publishing channel shows to those who hold a token of it. */
export function publishedRoutes(): Row[] {
  const section = "Published documents";
  const documents = `${published}/{channelId}/documents`;
  return [
    route("get", documents, operations.listPublished, {
      section,
      body: "output",
      etag: "body",
      headers,
      notes: fieldNotes.listPublished,
      exampleQuery: "limit=10",
    }),
    route("get", `${documents}/{id}`, operations.getPublished, { section, etag: "body", headers }),
  ];
}

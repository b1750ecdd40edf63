import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { fieldNotes } from "./field-notes.ts";

/** The path below which only channel tokens are accepted. */
export const published = "/api/v1/published";

/** Shared caches store nothing. A client's own cache revalidates with the `ETag` each time. */
const headers = { "Cache-Control": "private, max-age=0, must-revalidate" };

/** Lists the rows for the readers of publishing channels. */
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

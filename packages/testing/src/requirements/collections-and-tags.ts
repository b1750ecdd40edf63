import { section } from "./section.ts";

const collectionFields = section("Collection", {
  "collection.field.id": "id: string uuid",
  "collection.field.name": "name: string",
  "collection.field.icon": "icon: string or null",
  "collection.field.color": "color: string or null",
  "collection.field.description": "description: string or null",
  "collection.field.team-id": "teamId: string uuid",
  "collection.field.created-by-id": "createdById: string uuid or null",
  "collection.field.archived-at": "archivedAt: date-time or null; a collection's archived state is this field",
  "collection.field.sort-order": "sortOrder: number",
  "collection.field.created-at": "createdAt: date-time",
  "collection.field.updated-at": "updatedAt: date-time",
});

const collectionEndpoints = section("Collections: endpoints", {
  "collections.list": "GET /api/v1/collections answers {data: [Collection]}",
  "collections.create": "POST /api/v1/collections answers {data: Collection}",
  "collections.create.name": "name: string, required, 1 to 255 characters",
  "collections.create.icon": "icon: string, optional",
  "collections.create.color": "color: string, optional",
  "collections.create.description": "description: string, optional",
  "collections.get": "GET /api/v1/collections/{id}: path id uuid; {data: Collection}",
  "collections.get.team-scope": "GET /api/v1/collections/{id} is scoped to the caller's team",
  "collections.update":
    "PATCH /api/v1/collections/{id}: body name, icon, color, description, all optional strings; {data: Collection}",
  "collections.export":
    "GET /api/v1/collections.export: query id uuid required, format string; ZIP archive, media type application/zip",
  "collections.export.format":
    "The export format `zip` is the default and yields Markdown files; `html` yields HTML files",
});

const tagFields = section("Tag", {
  "tag.field.id": "id: string uuid",
  "tag.field.name": "name: string, normalized (lowercased)",
  "tag.field.color": "color: string or null, optional UI color, form #rrggbb",
  "tag.field.document-count": "documentCount: integer, optional; number of documents carrying the tag",
  "tag.flat": "Tag names are flat, with no namespaces",
  "tag.normalized": "A tag is created or reused by its normalized name",
  "tag.restricted-unset": "Restricted tags are governed by an ACL and are never set through the API",
  "tag.restricted-hidden": "Restricted tags are excluded from listings for callers without ACL access",
});

const tagEndpoints = section("Tags: endpoints", {
  "tags.list": "GET /api/v1/tags answers {data: [Tag]}; restricted tags without ACL for the caller are excluded",
  "tags.create": "POST /api/v1/tags: body name string required; {data: Tag}",
  "tags.create.color": "POST /api/v1/tags: color string or null (#rrggbb)",
  "tags.create.reuse": "POST /api/v1/tags creates the tag or reuses an existing one with the same normalized name",
});

/** Requirements of the contract for collections and tags. */
export const collectionAndTagRequirements = {
  ...collectionFields,
  ...collectionEndpoints,
  ...tagFields,
  ...tagEndpoints,
};

import { section } from "./section.ts";

const attachments = section("Decisions: attachments", {
  "decision.attachments.two-steps":
    "POST /api/attachments.upload {name,contentType,size,documentId?} answers {data:{attachment,uploadUrl,method:PUT,headers,maxUploadSize,expiresAt}}; attachment: {id,name,contentType,size,documentId,createdById,url,status,createdAt}",
  "decision.attachments.one-put": "The URL takes one PUT within an hour",
  "decision.attachments.size": "At most the declared size",
  "decision.attachments.limit": "Default limit 25 MB",
  "decision.attachments.magic": "The type is checked by magic bytes",
  "decision.attachments.unguessable": "Public URL /files/{id}/{name} with an unguessable id",
  "decision.attachments.headers": "X-Content-Type-Options: nosniff, immutable caching",
  "decision.attachments.ranges": "Range requests",
  "decision.attachments.disposition":
    "Anything but images, audio, video and PDF is Content-Disposition: attachment, SVG and HTML too",
  "decision.attachments.storage": "Storage: a folder by default, any S3-compatible store with S3_* set",
  "decision.attachments.clean-up":
    "An upload that was never sent is removed after a day, a file that no document has or mentions after a week",
});

const exports = section("Decisions: export", {
  "decision.export.hierarchy": "Documents in folders by hierarchy, `Title (2).md` on a clash",
  "decision.export.names": "Names safe on Windows, no path leaves the archive",
  "decision.export.links": "Links between exported documents are rewritten to relative paths",
  "decision.export.attachments": "Attachments are included under uploads/",
  "decision.export.front-matter": "YAML front matter with title, tags and emoji (off with frontMatter=false)",
  "decision.export.manifest":
    "manifest.json {version,exportedAt,collection,frontMatter?,documents:[{id,path,title,revision,tags,emoji?,parentDocumentId,publishedAt,updatedAt}]}; entry time = updatedAt",
  "decision.export.drafts": "Drafts only where the caller sees them",
  "decision.export.restricted-tags": "Restricted tags are invisible in an export",
  "decision.export.html": "The HTML is one self-contained, styled, script-free file a document with an index page",
  "decision.export.streamed": "Streamed; memory stays flat however large the collection",
});

/** Decisions on points that the contract leaves open: attachments and export. */
export const fileDecisions = { ...attachments, ...exports };

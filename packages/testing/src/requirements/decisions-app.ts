import { section } from "./section.ts";

/** Decisions on features that only the app offers: team, people, access, keys, channels, tags, trash. */
export const appDecisions = section("Decisions: in the app", {
  "decision.app.no-escalation":
    "Users cannot grant a permission that they do not have, or change a user who has more permissions",
  "decision.app.last-admin": "The last active admin cannot be suspended or lose that role, even by concurrent requests",
  "decision.app.at-once": "The next request is refused after a key is revoked, a user suspended or a grant removed",
  "decision.app.secret-once":
    "A generated password, an API key and a channel token appear only in the response that creates them",
  "decision.app.groups": "Built-in groups are permanent; a custom group grants the capabilities that it was given",
  "decision.app.grants":
    "A manager of a collection sets the team's default (none, read, write) and grants to groups and users (read, write, manage)",
  "decision.app.collection-delete":
    "collections.delete moves its documents to the trash; restoring one places it in a collection that the caller names",
  "decision.app.key-restrictions":
    "Restrictions of a key only name what its owner may see, take effect at once, and never grant more than the owner has",
  "decision.app.channel-sources": "A channel shows only its sources; deleting a source shows less, never more",
  "decision.app.channel-preview":
    "channels.preview shows exactly what a reader of the channel would get with sources that are not saved yet, as far as the caller may read it",
  "decision.app.restricted-tags":
    "Users with tag.manage restrict a tag to a list of groups and users; it is invisible to all others",
  "decision.app.tag-changes":
    "Renaming or deleting a tag changes the documents that have it: their revision, an event and the search",
  "decision.app.import":
    "imports.create takes a ZIP archive, an export or a Markdown file; a worker imports it with the rights of its user at that time, shows the progress and a list of problems, and audits the end",
  "decision.app.import-explained":
    "Each sentence of an import about a file or its failure is also a code with its values, which the app words in the language of its reader",
  "decision.app.import-folder":
    "The page of imports packs a folder that is chosen or dropped into an archive, without hidden files and installed programs",
  "decision.app.import-bounds":
    "An import is bounded in size, files, unpacked bytes and number; what leads out of the archive stays inside, and nothing is left behind",
  "decision.app.import-continue":
    "An import can be stopped and continued, and another worker continues it after a crash, without importing a document twice",
  "decision.app.destroy":
    "documents.destroy and trash.empty delete only trashed documents, and leave no body, revision or stored response",
});

import { section } from "./section.ts";

/** What the project decided of that which people do in the app alone: team, people, access, keys, channels, tags, trash. */
export const appDecisions = section("Decisions: in the app", {
  "decision.app.no-escalation": "Nobody gives a permission that they do not hold, or changes somebody who may do more",
  "decision.app.last-admin":
    "The last active admin is neither suspended nor stripped, whoever else acts at the same time",
  "decision.app.at-once": "A key revoked, a user suspended, a grant removed: the next request is refused",
  "decision.app.secret-once":
    "A made-up password, an API key and a channel token are in the answer that makes them and nowhere else",
  "decision.app.groups": "Built-in groups stay; a group of the team's own allows what it is given",
  "decision.app.grants":
    "Who manages a collection sets the team's default (none, read, write) and grants to groups and users (read, write, manage)",
  "decision.app.collection-delete":
    "collections.delete moves its documents to the trash; restoring one brings it into a collection that the caller names",
  "decision.app.key-restrictions":
    "Restrictions of a key name what its owner may see, narrow it at once, and never raise it above its owner",
  "decision.app.channel-sources": "A channel shows what it names, and less, never more, when that is deleted",
  "decision.app.restricted-tags":
    "Restricted tags are set up by those with tag.manage: a list of groups and users, invisible to all others",
  "decision.app.tag-changes":
    "A tag renamed or deleted changes the documents that show it: a revision, an event, the search",
  "decision.app.destroy":
    "documents.destroy and trash.empty take trashed documents alone, and leave no body, revision or stored answer",
});

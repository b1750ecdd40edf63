const limit = "rows per page, at most 100, default 25";
const page = { limit, offset: "rows to skip" };
const grantee = { userId: "a user; send either this or `groupId`", groupId: "a group; send either this or `userId`" };
const restrictions =
  '`{"collections":{ID: LEVEL},"documents":{ID: LEVEL}}` with `none`, `read` or `write`. Anything not listed is `none`; the entry of a document takes precedence over that of its collection';
const sources = {
  collectionIds: "documents in any of these collections",
  tagIds: "documents with any of these tags; if both are sent, a document must match both",
  format: "`markdown` and `html`: forms to return in addition to plain text",
};

/** Describes the fields of the operations of the app, one table per operation. */
export const rpcNotes = {
  page,
  listUsers: {
    ...page,
    query: "part of the name or the e-mail address",
    groupId: "only users in this group",
    suspended: "`true` lists only suspended users, `false` only active ones",
  },
  inviteUser: {
    name: "default: the part of the address before the @",
    groupIds: "default: Members",
    password: "8 to 1,024 characters; generated if absent; `null` for none",
  },
  createInvitations: {
    emails: "1 to 100 addresses",
    groupIds: "the groups to join; default: Members",
    language: "the language of the mail, `en` or `ar`; default `en`",
  },
  updateUser: { groupIds: "replaces the groups" },
  resetPassword: { password: "8 to 1,024 characters; generated if absent" },
  group: { capabilities: "the permissions of its members" },
  team: { mcpEnabled: "whether assistants may connect over MCP" },
  listGrants: page,
  candidates: { query: "part of the name", limit },
  grantee,
  setGrant: { ...grantee, level: "`manage` permits writing and granting access to others" },
  createApiKey: {
    scopes: "`write` does not include `read`; `admin` includes both",
    expiresAt: "the time at which it expires; by default it does not expire",
    restrictions,
  },
  updateApiKey: { restrictions: `${restrictions}; \`null\` removes them` },
  listApiKeys: {
    ...page,
    userId: "only keys of this user",
    revoked: "`true` includes revoked ones",
  },
  listApps: { ...page, userId: "only apps of this user" },
  channel: sources,
  previewChannel: {
    ...page,
    collectionIds: sources.collectionIds,
    tagIds: sources.tagIds,
    id: "a channel whose sources are to be changed; by default the preview is of a new one",
  },
  createToken: { expiresAt: "the time at which it expires; by default it does not expire" },
  listTokens: { ...page, revoked: "`true` includes revoked ones" },
  restrictTag: {
    id: "the restricted tag to change; by default a new one is created",
    name: "for a new tag: 1 to 64 characters without a comma; stored in lower case",
    color: "for a new tag: `#rgb` or `#rrggbb`",
    groupIds: "groups that may see it",
    userIds: "users who may see it, whatever their groups",
  },
  updateTag: { color: "`#rgb` or `#rrggbb`; `null` for none" },
  restrictedTags: { tagIds: "restricted tags that you may see" },
  createImport: {
    name: "the name of the file; it ends with `.zip`, `.md`, `.markdown` or `.mdx`",
    size: "in bytes",
    collectionId: "the collection that receives the documents; needed except for a dry run",
    newCollection: "for a dry run: the name of the collection that you are going to create",
    dryRun: "`true` writes nothing, and reports what the import would do",
    update: "`true` updates documents that exist already",
    publish: "`false` leaves new documents as drafts",
    textTags: "`true` also takes `#tags` in the text as tags",
  },
  continueImport: { collectionId: "another collection that receives the documents" },
} as const;

const limit = "rows of a page: 100 at most, default 25";
const page = { limit, offset: "rows to skip" };
const grantee = { userId: "a user; either this or `groupId`", groupId: "a group; either this or `userId`" };
const restrictions =
  '`{"collections":{ID: LEVEL},"documents":{ID: LEVEL}}` with `none`, `read` or `write`; what is not listed is `none`, a document\'s entry goes before its collection\'s';
const sources = {
  collectionIds: "documents in any of these",
  tagIds: "documents that carry any of these; where both are given, both count",
  format: "`markdown` and `html`: what a document shows beside its plain text",
};

/** What is to be known of the fields of what is done in the app, a table an operation. */
export const rpcNotes = {
  page,
  listUsers: {
    ...page,
    query: "a part of the name or the e-mail address",
    groupId: "only those in this group",
    suspended: "`true` lists those who are suspended alone, `false` those who are not",
  },
  inviteUser: {
    name: "default: what stands before the @",
    groupIds: "default: Members",
    password: "8 to 1,024 characters; left out, one is made up; `null` for none",
  },
  updateUser: { groupIds: "replaces the groups" },
  resetPassword: { password: "8 to 1,024 characters; left out, one is made up" },
  group: { capabilities: "what its members may do" },
  team: { mcpEnabled: "whether assistants may connect over MCP" },
  listGrants: page,
  candidates: { query: "a part of the name", limit },
  grantee,
  setGrant: { ...grantee, level: "`manage` is to write, and to say who else may" },
  createApiKey: {
    scopes: "`write` does not bring `read` along; `admin` brings both",
    expiresAt: "when it ends; left out, it does not",
    restrictions,
  },
  updateApiKey: { restrictions: `${restrictions}; \`null\` lifts them` },
  listApiKeys: {
    ...page,
    userId: "only the keys of this user",
    revoked: "`true` lists the revoked ones too",
  },
  listApps: { ...page, userId: "only those of this user" },
  channel: sources,
  createToken: { expiresAt: "when it ends; left out, it does not" },
  listTokens: { ...page, revoked: "`true` lists the revoked ones too" },
  restrictTag: {
    id: "a restricted tag whose list is to change; left out, a new one is made",
    name: "of a new one: kept in lower case; 1 to 64 characters, no comma",
    color: "of a new one: `#rgb` or `#rrggbb`",
    groupIds: "the groups that see it",
    userIds: "the users who see it, whatever their groups",
  },
  updateTag: { color: "`#rgb` or `#rrggbb`; `null` for none" },
  restrictedTags: { tagIds: "restricted tags whose lists name the caller" },
} as const;

import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { rpcNotes } from "./rpc-notes.ts";

/** Lists include their paging and need no idempotency key. */
const list = { body: "output", idempotencyKey: false } as const;
/** The answer contains a secret that is not stored, so it cannot be repeated. */
const secret = { idempotencyKey: false } as const;

/** Lists the rows that only the app may call: team, users, access, keys, channels, restricted tags and trash. */
export function rpcRoutes(): Row[] {
  return [
    ...teamRoutes(),
    ...userRoutes(),
    ...invitationRoutes(),
    ...groupRoutes(),
    ...accessRoutes(),
    ...keyRoutes(),
    ...appRoutes(),
    ...channelRoutes(),
    ...tagRoutes(),
    ...trashRoutes(),
    ...importRoutes(),
  ];
}

function importRoutes(): Row[] {
  const section = "Imports";
  return [
    route("post", "/api/imports.create", operations.createImport, {
      section,
      ...secret,
      status: 201,
      errors: ["conflict"],
      notes: rpcNotes.createImport,
      example: { name: "notes.zip", size: 123_456, dryRun: true },
    }),
    route("post", "/api/imports.list", operations.listImports, { section, idempotencyKey: false }),
    route("post", "/api/imports.get", operations.getImport, { section, idempotencyKey: false }),
    route("post", "/api/imports.stop", operations.stopImport, { section }),
    route("post", "/api/imports.continue", operations.continueImport, {
      section,
      errors: ["conflict"],
      notes: rpcNotes.continueImport,
    }),
  ];
}

function teamRoutes(): Row[] {
  const section = "Team";
  return [
    route("post", "/api/team.info", operations.getTeam, { section, idempotencyKey: false }),
    route("post", "/api/team.update", operations.updateTeam, {
      section,
      notes: rpcNotes.team,
      example: { mcpEnabled: true },
    }),
    route("post", "/api/team.setLogo", operations.setLogo, {
      section,
      errors: ["unsupported_media_type"],
      notes: { image: "the bytes of the logo in Base64" },
    }),
    route("post", "/api/team.removeLogo", operations.removeLogo, { section }),
  ];
}

function userRoutes(): Row[] {
  const section = "People";
  const errors = ["conflict"] as const;
  return [
    route("post", "/api/users.list", operations.listUsers, { section, ...list, notes: rpcNotes.listUsers }),
    route("post", "/api/users.invite", operations.inviteUser, {
      section,
      ...secret,
      status: 201,
      errors,
      notes: rpcNotes.inviteUser,
      example: { email: "ada@example.com", name: "Ada" },
    }),
    route("post", "/api/users.update", operations.updateUser, {
      section,
      errors,
      notes: rpcNotes.updateUser,
      example: { id: "$id", name: "Ada King" },
    }),
    route("post", "/api/users.groups", operations.setUserGroups, { section, errors }),
    route("post", "/api/users.suspend", operations.suspendUser, { section, errors }),
    route("post", "/api/users.unsuspend", operations.unsuspendUser, { section }),
    route("post", "/api/users.emailChanges", operations.listEmailChanges, { section }),
    route("post", "/api/users.emailChangeLinks", operations.createEmailChangeLinks, {
      section,
      errors: ["not_found", "conflict"],
      // The answer contains links, which are not stored.
      idempotencyKey: false,
    }),
    route("post", "/api/users.createPasswordLink", operations.createPasswordLink, {
      section,
      ...secret,
      errors: ["conflict", "rate_limited"],
    }),
    route("post", "/api/users.resetPassword", operations.resetPassword, {
      section,
      ...secret,
      errors,
      notes: rpcNotes.resetPassword,
    }),
    route("post", "/api/users.resetSecondFactor", operations.resetSecondFactor, { section, errors }),
    route("post", "/api/users.removePicture", operations.removePictureOf, { section, errors: ["not_found"] }),
  ];
}

function invitationRoutes(): Row[] {
  const section = "People";
  return [
    route("post", "/api/invitations.create", operations.createInvitations, {
      section,
      ...secret,
      status: 201,
      errors: ["rate_limited"],
      notes: rpcNotes.createInvitations,
      example: { emails: ["ada@example.com", "grace@example.com"] },
    }),
    route("post", "/api/invitations.list", operations.listInvitations, { section, ...list, notes: rpcNotes.page }),
    route("post", "/api/invitations.resend", operations.resendInvitation, {
      section,
      ...secret,
      errors: ["rate_limited"],
    }),
    route("post", "/api/invitations.revoke", operations.revokeInvitation, { section }),
  ];
}

function groupRoutes(): Row[] {
  const section = "Groups";
  const errors = ["conflict"] as const;
  const notes = rpcNotes.group;
  return [
    route("post", "/api/groups.list", operations.listGroups, { section, ...list, notes: rpcNotes.page }),
    route("post", "/api/groups.create", operations.createGroup, {
      section,
      status: 201,
      errors,
      notes,
      example: { name: "Publishers", capabilities: ["document.read", "document.publish"] },
    }),
    route("post", "/api/groups.update", operations.updateGroup, {
      section,
      errors,
      notes,
      example: { id: "$id", name: "Publishers of the handbook" },
    }),
    route("post", "/api/groups.delete", operations.deleteGroup, { section, errors }),
  ];
}

function accessRoutes(): Row[] {
  const section = "Access to collections";
  return [
    route("post", "/api/collections.grants.list", operations.listGrants, {
      section,
      ...list,
      notes: rpcNotes.listGrants,
    }),
    route("post", "/api/collections.grants.candidates", operations.listGrantCandidates, {
      section,
      idempotencyKey: false,
      notes: rpcNotes.candidates,
    }),
    route("post", "/api/collections.grants.set", operations.setGrant, {
      section,
      errors: ["conflict"],
      notes: rpcNotes.setGrant,
      example: { id: "$id", groupId: "$groupId", level: "write" },
    }),
    route("post", "/api/collections.grants.remove", operations.removeGrant, {
      section,
      errors: ["conflict"],
      notes: rpcNotes.grantee,
      example: { id: "$id", groupId: "$groupId" },
    }),
    route("post", "/api/collections.setDefaultAccess", operations.setDefaultAccess, {
      section,
      example: { id: "$id", defaultAccess: "read" },
    }),
    route("post", "/api/collections.delete", operations.deleteCollection, { section }),
  ];
}

function keyRoutes(): Row[] {
  const section = "API keys";
  return [
    route("post", "/api/apiKeys.list", operations.listApiKeys, { section, ...list, notes: rpcNotes.listApiKeys }),
    route("post", "/api/apiKeys.info", operations.getApiKey, { section, idempotencyKey: false }),
    route("post", "/api/apiKeys.create", operations.createApiKey, {
      section,
      ...secret,
      status: 201,
      errors: ["not_found", "conflict"],
      notes: rpcNotes.createApiKey,
      example: { name: "Mirror", scopes: ["read"], restrictions: { collections: { $collectionId: "read" } } },
    }),
    route("post", "/api/apiKeys.update", operations.updateApiKey, {
      section,
      errors: ["conflict"],
      notes: rpcNotes.updateApiKey,
      example: { id: "$id", name: "Mirror of the handbook" },
    }),
    route("post", "/api/apiKeys.revoke", operations.revokeApiKey, { section }),
  ];
}

function appRoutes(): Row[] {
  const section = "Connected apps";
  return [
    route("post", "/api/oauth.apps.list", operations.listApps, { section, ...list, notes: rpcNotes.listApps }),
    route("post", "/api/oauth.apps.revoke", operations.revokeApp, { section }),
    route("post", "/api/oauth.apps.requests", operations.listAppRequests, { section, ...list }),
    route("post", "/api/oauth.apps.approve", operations.approveApp, { section, errors: ["not_found"] }),
    route("post", "/api/oauth.apps.refuse", operations.refuseApp, { section, errors: ["not_found"] }),
  ];
}

function channelRoutes(): Row[] {
  const section = "Channels";
  return [
    route("post", "/api/channels.list", operations.listChannels, { section, ...list, notes: rpcNotes.page }),
    route("post", "/api/channels.create", operations.createChannel, {
      section,
      status: 201,
      notes: rpcNotes.channel,
      example: { name: "Help centre", collectionIds: ["$collectionId"], format: { markdown: true } },
    }),
    route("post", "/api/channels.update", operations.updateChannel, {
      section,
      notes: rpcNotes.channel,
      example: { id: "$id", name: "Help centre" },
    }),
    route("post", "/api/channels.preview", operations.previewChannel, {
      section,
      idempotencyKey: false,
      notes: rpcNotes.previewChannel,
      example: { collectionIds: ["$collectionId"] },
    }),
    route("post", "/api/channels.delete", operations.deleteChannel, { section }),
    route("post", "/api/channelTokens.list", operations.listChannelTokens, {
      section,
      ...list,
      notes: rpcNotes.listTokens,
    }),
    route("post", "/api/channelTokens.create", operations.createChannelToken, {
      section,
      ...secret,
      status: 201,
      notes: rpcNotes.createToken,
      example: { channelId: "$channelId", name: "Website" },
    }),
    route("post", "/api/channelTokens.revoke", operations.revokeChannelToken, { section }),
  ];
}

function tagRoutes(): Row[] {
  const section = "Tags";
  return [
    route("post", "/api/tags.update", operations.updateTag, {
      section,
      errors: ["conflict"],
      notes: rpcNotes.updateTag,
      example: { id: "$id", name: "how-to" },
    }),
    route("post", "/api/tags.delete", operations.deleteTag, { section }),
    route("post", "/api/tags.listRestricted", operations.listRestricted, { section, ...list, notes: rpcNotes.page }),
    route("post", "/api/tags.restrict", operations.restrictTag, {
      section,
      status: ({ created }) => (created ? 201 : 200),
      body: { data: "tag" },
      errors: ["conflict"],
      notes: rpcNotes.restrictTag,
      example: { name: "board", groupIds: ["$groupId"] },
    }),
    route("post", "/api/documents.restrictedTags.list", operations.listRestrictedTags, {
      section,
      idempotencyKey: false,
    }),
    route("post", "/api/documents.restrictedTags.set", operations.setRestrictedTags, {
      section,
      notes: rpcNotes.restrictedTags,
    }),
  ];
}

function trashRoutes(): Row[] {
  const section = "Trash";
  return [
    route("post", "/api/documents.destroy", operations.destroyDocument, { section, errors: ["not_in_trash"] }),
    route("post", "/api/trash.empty", operations.emptyTrash, { section }),
  ];
}

import type { Row } from "@kb/http";
import { worstOfAny } from "./any-operation.ts";
import { assistantInputs } from "./assistant-inputs.ts";
import { documentInputs } from "./document-inputs.ts";
import { listInputs } from "./list-inputs.ts";
import { finalInputs, teamInputs } from "./team-inputs.ts";
import type { Subjects, WorstInput } from "./worst-input.ts";

/**
 * The operations whose worst input is the longest body or query. Every other operation of the route table needs an entry of
 * its own in the lists of inputs.
 */
export const longestIsWorst: ReadonlySet<string> = new Set([
  "admin.apiKeys.create",
  "admin.apiKeys.list",
  "admin.groups.create",
  "admin.groups.list",
  "admin.users.create",
  "admin.users.list",
  "apiKeys.info",
  "apiKeys.list",
  "apiKeys.revoke",
  "app.boot",
  "app.events",
  "attachments.copy",
  "attachments.delete",
  "attachments.upload",
  "audit.list",
  "auditLog.list",
  "auth.emailChange.cancel",
  "auth.emailChange.info",
  "auth.emailChange.start",
  "auth.me",
  "auth.passkeys.add",
  "auth.passkeys.challenge",
  "auth.passkeys.list",
  "auth.passkeys.remove",
  "auth.passkeys.rename",
  "auth.passkeys.start",
  "auth.picture.remove",
  "auth.picture.set",
  "auth.secondFactor.confirm",
  "auth.secondFactor.info",
  "auth.secondFactor.remove",
  "auth.secondFactor.renewCodes",
  "auth.sessions.list",
  "auth.sessions.revoke",
  "auth.updateProfile",
  "channelTokens.create",
  "channelTokens.list",
  "channelTokens.revoke",
  "channels.create",
  "channels.delete",
  "channels.list",
  "channels.preview",
  "collections.create",
  "collections.get",
  "collections.grants.list",
  "collections.grants.remove",
  "collections.grants.set",
  "collections.list",
  "collections.setDefaultAccess",
  "documents.recent",
  "documents.restrictedTags.list",
  "groups.create",
  "groups.delete",
  "groups.list",
  "imports.continue",
  "imports.create",
  "imports.get",
  "imports.list",
  "imports.stop",
  "invitations.list",
  "invitations.resend",
  "invitations.revoke",
  "live.batches",
  "live.open",
  "live.presence",
  "live.stream",
  "me.get",
  "oauth.apps.approve",
  "oauth.apps.list",
  "oauth.apps.refuse",
  "oauth.apps.requests",
  "oauth.apps.revoke",
  "stars.create",
  "stars.delete",
  "stars.list",
  "tags.list",
  "tags.listRestricted",
  "team.info",
  "team.removeLogo",
  "team.setLogo",
  "team.update",
  "users.createPasswordLink",
  "users.directory",
  "users.emailChangeLinks",
  "users.emailChanges",
  "users.invite",
  "users.removePicture",
  "users.resetSecondFactor",
  "users.suspend",
  "users.unsuspend",
  "users.update",
  "webhooks.delete",
  "webhooks.deliveries",
  "webhooks.info",
  "webhooks.list",
  "webhooks.manage",
  "webhooks.redeliver",
  "webhooks.rotateSecret",
  "webhooks.test",
]);

/** Returns the inputs of single operations, in an order in which each finds what it is about. */
export function ownInputs(subjects: Subjects): WorstInput[] {
  return [
    ...listInputs(subjects),
    ...documentInputs(subjects),
    ...assistantInputs(subjects),
    ...teamInputs(subjects),
    ...finalInputs(subjects),
  ];
}

/**
 * Returns all requests of a run. The short run sends one of the longest bodies for each operation, in turn, and leaves out
 * the requests that are marked.
 */
export function worstInputs(rows: readonly Row[], subjects: Subjects, isShort: boolean): WorstInput[] {
  const longest = rows.flatMap((row, place) => {
    const all = worstOfAny(row);
    return isShort ? all.slice(place % all.length, (place % all.length) + 1) : all;
  });
  return [...longest, ...ownInputs(subjects)].filter((input) => !isShort || input.isOnlyLong !== true);
}

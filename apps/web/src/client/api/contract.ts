import type * as operations from "@kb/core/operations";
import type { z } from "zod";

/** Where an operation is served, and whether its answer stands in `data`. */
type Place = { readonly method: "GET" | "POST" | "PATCH" | "DELETE"; readonly path: string; readonly inData?: boolean };

/** The operations that the app calls. Types come from the operations themselves and are erased in the build. */
export type Operations = {
  "app.boot": typeof operations.bootApp;
  "app.search": typeof operations.searchInApp;
  "documents.view": typeof operations.viewDocument;
  "documents.tree": typeof operations.readTree;
  "documents.get": typeof operations.getDocument;
  "documents.list": typeof operations.listDocuments;
  "documents.search": typeof operations.searchDocuments;
  "documents.suggest": typeof operations.suggestDocuments;
  "documents.create": typeof operations.createDocument;
  "documents.recent": typeof operations.listRecent;
  "documents.backlinks": typeof operations.listBacklinks;
  "attachments.copy": typeof operations.copyPicture;
  "attachments.delete": typeof operations.deleteAttachment;
  "attachments.upload": typeof operations.uploadAttachment;
  "attachments.list": typeof operations.listAttachments;
  "documents.revisions.list": typeof operations.listRevisions;
  "documents.revisions.view": typeof operations.viewRevision;
  "documents.revisions.restore": typeof operations.restoreRevision;
  "documents.revisions.undo": typeof operations.undoRevision;
  "documents.destroy": typeof operations.destroyDocument;
  "trash.empty": typeof operations.emptyTrash;
  "documents.update": typeof operations.updateDocument;
  "documents.edit": typeof operations.editDocument;
  "documents.archive": typeof operations.archiveDocument;
  "documents.unarchive": typeof operations.unarchiveDocument;
  "documents.restore": typeof operations.restoreDocument;
  "documents.delete": typeof operations.deleteDocument;
  "documents.restrictedTags.set": typeof operations.setRestrictedTags;
  "collections.create": typeof operations.createCollection;
  "collections.get": typeof operations.getCollection;
  "collections.update": typeof operations.updateCollection;
  "collections.archive": typeof operations.archiveCollection;
  "collections.unarchive": typeof operations.unarchiveCollection;
  "collections.delete": typeof operations.deleteCollection;
  "collections.setDefaultAccess": typeof operations.setDefaultAccess;
  "collections.grants.list": typeof operations.listGrants;
  "collections.grants.candidates": typeof operations.listGrantCandidates;
  "collections.grants.set": typeof operations.setGrant;
  "collections.grants.remove": typeof operations.removeGrant;
  "live.open": typeof operations.openLive;
  "live.push": typeof operations.pushSteps;
  "live.presence": typeof operations.tellPresence;
  "live.batches": typeof operations.pullBatches;
  "stars.list": typeof operations.listStars;
  "stars.create": typeof operations.createStar;
  "stars.delete": typeof operations.deleteStar;
  "tags.list": typeof operations.listTags;
  "tags.listRestricted": typeof operations.listRestricted;
  "auth.me": typeof operations.getSession;
  "auth.prove": typeof operations.proveOwner;
  "auth.updateProfile": typeof operations.updateProfile;
  "auth.changePassword": typeof operations.changePassword;
  "auth.secondFactor.info": typeof operations.getSecondFactor;
  "auth.secondFactor.start": typeof operations.startSecondFactor;
  "auth.secondFactor.confirm": typeof operations.confirmSecondFactor;
  "auth.secondFactor.renewCodes": typeof operations.renewRecoveryCodes;
  "auth.secondFactor.remove": typeof operations.removeSecondFactor;
  "auth.emailChange.info": typeof operations.getEmailChange;
  "auth.emailChange.start": typeof operations.startEmailChange;
  "auth.emailChange.cancel": typeof operations.cancelEmailChange;
  "auth.picture.set": typeof operations.setPicture;
  "auth.picture.remove": typeof operations.removePicture;
  "auth.passkeys.list": typeof operations.listPasskeys;
  "auth.passkeys.start": typeof operations.startPasskey;
  "auth.passkeys.add": typeof operations.addPasskey;
  "auth.passkeys.rename": typeof operations.renamePasskey;
  "auth.passkeys.remove": typeof operations.removePasskey;
  "auth.passkeys.challenge": typeof operations.challengePasskey;
  "auth.sessions.list": typeof operations.listSessions;
  "auth.sessions.revoke": typeof operations.revokeSession;
  "apiKeys.list": typeof operations.listApiKeys;
  "apiKeys.info": typeof operations.getApiKey;
  "apiKeys.create": typeof operations.createApiKey;
  "apiKeys.update": typeof operations.updateApiKey;
  "apiKeys.revoke": typeof operations.revokeApiKey;
  "team.info": typeof operations.getTeam;
  "team.update": typeof operations.updateTeam;
  "team.setLogo": typeof operations.setLogo;
  "team.removeLogo": typeof operations.removeLogo;
  "oauth.apps.list": typeof operations.listApps;
  "oauth.apps.requests": typeof operations.listAppRequests;
  "oauth.apps.approve": typeof operations.approveApp;
  "oauth.apps.refuse": typeof operations.refuseApp;
  "oauth.apps.revoke": typeof operations.revokeApp;
  "users.list": typeof operations.listUsers;
  "users.update": typeof operations.updateUser;
  "users.suspend": typeof operations.suspendUser;
  "users.unsuspend": typeof operations.unsuspendUser;
  "users.resetPassword": typeof operations.resetPassword;
  "users.resetSecondFactor": typeof operations.resetSecondFactor;
  "users.removePicture": typeof operations.removePictureOf;
  "users.emailChanges": typeof operations.listEmailChanges;
  "users.emailChangeLinks": typeof operations.createEmailChangeLinks;
  "users.createPasswordLink": typeof operations.createPasswordLink;
  "invitations.create": typeof operations.createInvitations;
  "invitations.list": typeof operations.listInvitations;
  "invitations.resend": typeof operations.resendInvitation;
  "invitations.revoke": typeof operations.revokeInvitation;
  "groups.list": typeof operations.listGroups;
  "groups.create": typeof operations.createGroup;
  "groups.update": typeof operations.updateGroup;
  "groups.delete": typeof operations.deleteGroup;
  "channels.list": typeof operations.listChannels;
  "channels.create": typeof operations.createChannel;
  "channels.preview": typeof operations.previewChannel;
  "channels.update": typeof operations.updateChannel;
  "channels.delete": typeof operations.deleteChannel;
  "channelTokens.list": typeof operations.listChannelTokens;
  "channelTokens.create": typeof operations.createChannelToken;
  "channelTokens.revoke": typeof operations.revokeChannelToken;
  "tags.create": typeof operations.createTag;
  "tags.update": typeof operations.updateTag;
  "tags.delete": typeof operations.deleteTag;
  "tags.restrict": typeof operations.restrictTag;
  "imports.create": typeof operations.createImport;
  "imports.list": typeof operations.listImports;
  "imports.get": typeof operations.getImport;
  "imports.stop": typeof operations.stopImport;
  "imports.continue": typeof operations.continueImport;
  "users.directory": typeof operations.listDirectory;
  "audit.list": typeof operations.listAudit;
  "webhooks.manage": typeof operations.listWebhooksInApp;
  "webhooks.info": typeof operations.getWebhook;
  "webhooks.create": typeof operations.createWebhook;
  "webhooks.update": typeof operations.updateWebhook;
  "webhooks.delete": typeof operations.deleteWebhook;
  "webhooks.rotateSecret": typeof operations.rotateWebhookSecret;
  "webhooks.test": typeof operations.testWebhook;
  "webhooks.deliveries": typeof operations.listDeliveries;
  "webhooks.redeliver": typeof operations.redeliver;
};

/** The name of an operation. */
export type OperationName = keyof Operations;
/** The input of an operation, as it is sent. */
export type InputOf<Name extends OperationName> = z.input<Operations[Name]["input"]>;
/** The answer of an operation. */
export type OutputOf<Name extends OperationName> = z.output<Operations[Name]["output"]>;

/** A document as its page shows it. */
export type View = OutputOf<"documents.view">;
/** A collection as the sidebar shows it. */
export type BootCollection = OutputOf<"app.boot">["collections"][number];
/** The documents below one parent, as far as they are loaded. */
export type TreeLevel = OutputOf<"documents.tree">["levels"][number];
/** A document in the tree. */
export type TreeNode = TreeLevel["data"][number];
/** The output of `documents.tree`. */
export type Tree = OutputOf<"documents.tree">;
/** A starred document. */
export type StarredDocument = OutputOf<"stars.list">[number];

const one = "/api/v1/documents/{id}";
const oneCollection = "/api/v1/collections/{id}";

/** The address of each operation. Those without a path are served at `POST /api/<name>`. */
export const places: Readonly<Partial<Record<OperationName, Place>>> = {
  "documents.get": { method: "GET", path: one },
  "documents.list": { method: "GET", path: "/api/v1/documents" },
  "documents.search": { method: "GET", path: "/api/v1/search" },
  "documents.create": { method: "POST", path: "/api/v1/documents", inData: true },
  "documents.revisions.list": { method: "GET", path: `${one}/revisions` },
  "documents.revisions.restore": { method: "POST", path: `${one}/revisions/{revision}/restore`, inData: true },
  "documents.revisions.undo": { method: "POST", path: `${one}/revisions/{revision}/undo`, inData: true },
  "documents.update": { method: "PATCH", path: one, inData: true },
  "documents.edit": { method: "POST", path: `${one}/edits`, inData: true },
  "documents.archive": { method: "POST", path: `${one}/archive`, inData: true },
  "documents.unarchive": { method: "POST", path: `${one}/unarchive`, inData: true },
  "documents.restore": { method: "POST", path: `${one}/restore`, inData: true },
  "documents.delete": { method: "DELETE", path: one, inData: true },
  "collections.create": { method: "POST", path: "/api/v1/collections", inData: true },
  "collections.get": { method: "GET", path: oneCollection },
  "collections.update": { method: "PATCH", path: oneCollection, inData: true },
  "collections.archive": { method: "POST", path: `${oneCollection}/archive`, inData: true },
  "collections.unarchive": { method: "POST", path: `${oneCollection}/unarchive`, inData: true },
  "tags.list": { method: "GET", path: "/api/v1/tags" },
  "audit.list": { method: "POST", path: "/api/audit.list", inData: false },
  "tags.create": { method: "POST", path: "/api/v1/tags" },
  "webhooks.manage": { method: "POST", path: "/api/webhooks.list" },
};

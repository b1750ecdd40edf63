import { invoke, operations } from "@kb/core";
import { newId } from "@kb/db";
import { passwordOfAll } from "./credentials.ts";
import type { Case, Scene } from "./scene.ts";

const unique = (what: string): string => `${what} ${newId()}`;

const newcomer = async ({ world, inApp }: Scene): Promise<string> =>
  (
    await invoke(world.service, operations.inviteUser, inApp, {
      email: `${newId()}@example.org`,
      password: passwordOfAll,
    })
  ).user.id;
const user: Case = async (scene) => ({ id: await newcomer(scene) });

const group: Case = async ({ world, inApp }) => ({
  id: (
    await invoke(world.service, operations.createGroup, inApp, {
      name: unique("Group"),
      capabilities: ["document.read"],
    })
  ).id,
});

/** Of the editor's own. */
const apiKey: Case = async ({ world }) => {
  const key = await world.key(world.people.editor, ["read"]);
  return { id: (await world.actorOf(key)).credential.id };
};

const newClient = async ({ world }: Scene): Promise<string> => {
  const id = newId();
  await world.service.database.client.oauthClient.create({ data: { id, kind: "dynamic", metadata: {} } });
  return id;
};

/** Of the editor's own. */
const connectedApp: Case = async (scene) => {
  const { editor } = scene.world.people;
  const id = newId();
  const expiresAt = new Date(Date.now() + 60_000);
  const given = { clientId: await newClient(scene), scopes: ["read"], resource: "https://wiki.example.com/api/mcp" };
  const data = { teamId: editor.actor.teamId, id, userId: editor.id, ...given, expiresAt };
  await scene.world.service.database.client.oauthGrant.create({ data });
  return { id };
};

const newChannel = async ({ world, inApp, collectionId }: Scene): Promise<string> =>
  (
    await invoke(world.service, operations.createChannel, inApp, {
      name: unique("Channel"),
      collectionIds: [collectionId],
    })
  ).id;
const channel: Case = async (scene) => ({ id: await newChannel(scene) });

const tag: Case = async ({ world, inApp }) => ({
  id: (await invoke(world.service, operations.createTag, inApp, { name: unique("tag") })).tag.id,
});

/** One that nothing else stands in. */
const ownCollection: Case = async ({ world, inApp }) => ({
  id: (await invoke(world.service, operations.createCollection, inApp, { name: unique("Collection") })).id,
});
const collection: Case = (scene) => ({ id: scene.collectionId });

/** The input of what is done in the app alone. */
export const casesInApp: Readonly<Record<string, Case>> = {
  "auth.me": () => ({}),
  "auth.changePassword": () => ({ currentPassword: passwordOfAll, newPassword: passwordOfAll }),
  "auth.sessions.list": () => ({}),
  "auth.sessions.revoke": async ({ world }) => ({ id: (await world.session(world.people.admin)).id }),

  "users.list": () => ({}),
  "users.invite": () => ({ email: `${newId()}@example.org`, password: passwordOfAll }),
  "users.update": async (scene) => ({ ...(await user(scene)), name: "By the matrix" }),
  "users.groups": async (scene) => ({ ...(await user(scene)), groupIds: [] }),
  "users.resetPassword": async (scene) => ({ ...(await user(scene)), password: passwordOfAll }),
  "users.suspend": user,
  "users.unsuspend": async (scene) => {
    const id = await newcomer(scene);
    await invoke(scene.world.service, operations.suspendUser, scene.inApp, { id });
    return { id };
  },

  "groups.list": () => ({}),
  "groups.create": () => ({ name: unique("Group"), capabilities: ["document.read"] }),
  "groups.update": async (scene) => ({ ...(await group(scene)), name: unique("Group") }),
  "groups.delete": group,

  "team.info": () => ({}),
  "team.update": () => ({ name: unique("Team") }),

  "collections.grants.list": collection,
  "collections.grants.candidates": collection,
  "collections.grants.set": async (scene) => ({
    id: scene.collectionId,
    userId: await newcomer(scene),
    level: "read",
  }),
  "collections.grants.remove": async (scene) => {
    const grant = { id: scene.collectionId, userId: await newcomer(scene) };
    await invoke(scene.world.service, operations.setGrant, scene.inApp, { ...grant, level: "read" });
    return grant;
  },
  "collections.setDefaultAccess": async (scene) => ({ ...(await ownCollection(scene)), defaultAccess: "read" }),
  "collections.delete": ownCollection,

  "apiKeys.list": () => ({}),
  "apiKeys.info": apiKey,
  "apiKeys.create": () => ({ name: "By the matrix", scopes: ["read"] }),
  "apiKeys.update": async (scene) => ({ ...(await apiKey(scene)), name: "By the matrix" }),
  "apiKeys.revoke": apiKey,

  "oauth.authorize": async (scene) => {
    const { service, people } = scene.world;
    // The other team's people are asked too.
    const where = { id: people.outsider.actor.teamId };
    await service.database.client.team.update({ where, data: { mcpEnabled: true } });
    const binding = { redirectUri: "https://app.example.com/back", codeChallenge: "c".repeat(43) };
    const resource = `${service.appUrl}/api/mcp`;
    return { clientId: await newClient(scene), ...binding, resource, scopes: ["read"] };
  },
  "oauth.apps.list": () => ({}),
  "oauth.apps.revoke": connectedApp,

  "channels.list": () => ({}),
  "channels.create": (scene) => ({ name: unique("Channel"), collectionIds: [scene.collectionId] }),
  "channels.update": async (scene) => ({ ...(await channel(scene)), name: "By the matrix" }),
  "channels.delete": channel,
  "channelTokens.list": async (scene) => ({ channelId: await newChannel(scene) }),
  "channelTokens.create": async (scene) => ({ channelId: await newChannel(scene), name: "By the matrix" }),
  "channelTokens.revoke": async (scene) => {
    const given = { channelId: await newChannel(scene), name: "Token" };
    return { id: (await invoke(scene.world.service, operations.createChannelToken, scene.inApp, given)).id };
  },

  "tags.update": async (scene) => ({ ...(await tag(scene)), color: "#123456" }),
  "tags.delete": tag,
  "tags.listRestricted": () => ({}),
  "tags.restrict": ({ world }) => ({ name: unique("tag"), userIds: [world.people.admin.id] }),
  "documents.restrictedTags.list": async (scene) => ({ id: await scene.document() }),
  "documents.restrictedTags.set": async (scene) => ({ id: await scene.document(), tagIds: [] }),

  "documents.destroy": async (scene) => ({ id: await scene.document("trashed") }),
  "trash.empty": async (scene) => {
    await scene.document("trashed");
    return {};
  },

  "audit.list": () => ({}),
};

import { newId } from "@kb/db";
import type { ShownApp } from "../../app-requests/app-request.ts";
import { invoke, operations } from "../../index.ts";
import type { CaseInput } from "../operation-case.ts";
import { passwordOfAll } from "./credentials.ts";
import type { Scene } from "./scene.ts";

export { dot } from "../files.ts";
export { passwordOfAll } from "./credentials.ts";

/** Returns a name that nothing else has. */
export const unique = (what: string): string => `${what} ${newId()}`;

/** Invites a user; returns their id. */
export const newcomer = async ({ world, inApp }: Scene): Promise<string> =>
  (
    await invoke(world.service, operations.inviteUser, inApp, {
      email: `${newId()}@example.org`,
      password: passwordOfAll,
    })
  ).user.id;

/** The id of a new user. */
export const user: CaseInput = async (scene) => ({ id: await newcomer(scene) });

/** The id of a new invitation. */
export const invitation: CaseInput = async ({ world, inApp }) => {
  const input = { emails: [`${newId()}@example.org`] };
  const { invitations } = await invoke(world.service, operations.createInvitations, inApp, input);
  return { id: invitations[0]?.id };
};

/** The id of a new group. */
export const group: CaseInput = async ({ world, inApp }) => ({
  id: (
    await invoke(world.service, operations.createGroup, inApp, {
      name: unique("Group"),
      capabilities: ["document.read"],
    })
  ).id,
});

/** The id of a new API key of the editor. */
export const apiKey: CaseInput = async ({ world }) => {
  const key = await world.key(world.people.editor, ["read"]);
  return { id: (await world.actorOf(key)).credential.id };
};

/** Registers an app; returns its id. */
export const newClient = async ({ world }: Scene): Promise<string> => {
  const id = newId();
  await world.service.database.client.oauthClient.create({ data: { id, kind: "dynamic", metadata: {} } });
  return id;
};

/** An app that is registered, as the consent page shows it. */
export const shownClient = async (scene: Scene): Promise<ShownApp> => ({
  clientId: await newClient(scene),
  name: null,
  redirectUris: ["https://app.example.com/back"],
});

/** The id of an app that the editor has connected. */
export const connectedApp: CaseInput = async (scene) => {
  const { editor } = scene.world.people;
  const id = newId();
  const expiresAt = new Date(Date.now() + 60_000);
  const given = { clientId: await newClient(scene), scopes: ["read"], resource: "https://wiki.example.com/api/mcp" };
  const data = { teamId: editor.actor.teamId, id, userId: editor.id, ...given, expiresAt };
  await scene.world.service.database.client.oauthGrant.create({ data });
  return { id };
};

/** Creates a channel of the subject's collection; returns its id. */
export const newChannel = async ({ world, inApp, collectionId }: Scene): Promise<string> =>
  (
    await invoke(world.service, operations.createChannel, inApp, {
      name: unique("Channel"),
      collectionIds: [collectionId],
    })
  ).id;

/** The id of a new channel. */
export const channel: CaseInput = async (scene) => ({ id: await newChannel(scene) });

/** The id of a new tag. */
export const tag: CaseInput = async ({ world, inApp }) => ({
  id: (await invoke(world.service, operations.createTag, inApp, { name: unique("tag") })).tag.id,
});

/** The id of a new, empty collection. */
export const ownCollection: CaseInput = async ({ world, inApp }) => ({
  id: (await invoke(world.service, operations.createCollection, inApp, { name: unique("Collection") })).id,
});

/** The id of the subject's collection. */
export const collection: CaseInput = (scene) => ({ id: scene.collectionId });

/** The id of a new published document. */
export const publishedDocument: CaseInput = async (scene) => ({ id: await scene.document() });

/** The id of a new webhook. */
export const webhook: CaseInput = async (scene) => ({ id: (await scene.webhook()).id });

/** A published document that an editor has renamed, which is its revision 2. */
export async function renamedDocument(scene: Scene): Promise<{ readonly id: string }> {
  const id = await scene.document();
  const { service, people } = scene.world;
  await invoke(service, operations.updateDocument, people.editor.actor, { id, title: "Another" });
  return { id };
}

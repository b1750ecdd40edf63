import { invoke, operations } from "@kb/core";
import { addPerson, type Person, type World } from "@kb/core/testing";
import { openCollection } from "./tree-world.ts";

/** A document whose every trace is its own word: in its title, its text and its tag. */
export type Marked = { readonly id: string; readonly mark: string };

/** Somebody of each built-in group, and a guest whose only access is a grant to one collection. */
export type Roles = Readonly<Record<"admin" | "editor" | "member" | "viewer" | "guest", Person>>;

/** A team in which no two roles see the same. */
export type RolesTeam = { readonly roles: Roles; readonly documents: readonly Marked[]; readonly hub: string };

const states = ["published", "draft", "archived", "trashed"] as const;

/**
 * Creates documents in each state in a collection for the team, in one for Editors, in one for the guest and in one for the
 * admin alone. All link to `hub`, which everybody may read. Nothing else in the team is open to the guest.
 */
export async function createRolesTeam(world: World): Promise<RolesTeam> {
  const { service, people, setDefaultAccess, grant } = world;
  const roles = { ...people, guest: await addPerson(world, "Viewers") };
  const team = [roles.editor, roles.member, roles.viewer];
  for (const id of [world.collections.open, world.collections.readable]) {
    await setDefaultAccess(id, "none");
    for (const { id: userId } of team) await grant(id, userId, "write");
  }
  const places = {
    common: { readers: [...team, roles.guest], writers: [] },
    team: { readers: [], writers: team },
    closed: { readers: [], writers: [roles.editor] },
    guests: { readers: [roles.guest], writers: [] },
    alone: { readers: [], writers: [] },
  };
  const documents: Marked[] = [];
  let hub = "";
  for (const [name, { readers, writers }] of Object.entries(places)) {
    const collectionId = await openCollection(world, `Place${name}`);
    await setDefaultAccess(collectionId, "none");
    for (const { id } of readers) await grant(collectionId, id, "read");
    for (const { id } of writers) await grant(collectionId, id, "write");
    if (name === "common") {
      const input = { collectionId, title: "Hub", text: "All link here.", publish: true };
      hub = (await invoke(service, operations.createDocument, people.admin.actor, input)).id;
    } else {
      for (const state of states)
        documents.push(await createMarked(world, { collectionId, hub, mark: `${name}${state}`, state }));
    }
  }
  return { roles, documents, hub };
}

type NewMarked = { collectionId: string; hub: string; mark: string; state: (typeof states)[number] };

async function createMarked(
  { service, people }: World,
  { collectionId, hub, mark, state }: NewMarked,
): Promise<Marked> {
  const { actor } = people.admin;
  const word = `mark${mark}`;
  const text = `The word ${word} stands here. [Hub](/documents/${hub})`;
  const input = { collectionId, title: `Title ${word}`, text, tags: [`tag${word}`], publish: state !== "draft" };
  const { id } = await invoke(service, operations.createDocument, actor, input);
  if (state === "archived") await invoke(service, operations.archiveDocument, actor, { id });
  if (state === "trashed") await invoke(service, operations.deleteDocument, actor, { id });
  return { id, mark: word };
}

import { type Actor, authenticateSession } from "@kb/auth";
import { invoke } from "../../index.ts";
import { cases, cells } from "../case-registry.ts";
import type { CaseInput } from "../operation-case.ts";
import { giveLogo, givePicture } from "../picture.ts";
import { type Column, columns } from "./columns.ts";
import { operationNamed } from "./invoke-operation.ts";
import type { Scene } from "./scene.ts";
import { renamedDocument } from "./subjects.ts";

/** Where the matrix asks for something that changes nothing yet. */
const changes: Readonly<Record<string, CaseInput>> = {
  "documents.revisions.restore": async (scene) => ({ ...(await renamedDocument(scene)), revision: 1 }),
  "auth.emailChange.cancel": async (scene) => {
    const start = operationNamed("auth.emailChange.start");
    await invoke(scene.world.service, start, scene.inApp, { email: "another-address@example.org" });
    return {};
  },
  "auth.picture.remove": async (scene) => {
    await givePicture(scene.world, scene.inApp.userId);
    return {};
  },
  "team.removeLogo": async (scene) => {
    await giveLogo(scene.world);
    return {};
  },
  // The first call only asks; the second, which confirms, changes something.
  "assistants.delete": async (scene) => {
    const id = await scene.document();
    await invoke(scene.world.service, operationNamed("assistants.delete"), scene.inApp, { id });
    return { id, confirm: true };
  },
};

/** Operations that change something only for somebody else than an admin: an admin's apps need no approval. */
const callers: Readonly<Record<string, Column>> = { "oauth.apps.ask": "memberSession" };

/** Prepares the subject of a call that changes something, and returns the input. */
export function changingInput(scene: Scene, name: string): Promise<object> | object {
  const prepare = changes[name] ?? cases[name];
  if (prepare === undefined) throw new Error(`${name} has no case in the matrix`);
  return prepare(scene);
}

/** Returns somebody who is logged in and may call an operation that changes something. */
export async function changingCaller(scene: Scene, name: string): Promise<Actor> {
  const isAllowed = (candidate: Column) => /Session$/.test(candidate) && cells.get(name)?.[candidate] === "allowed";
  const column = callers[name] ?? columns.find(isAllowed);
  const credential = column === undefined ? null : await scene.credential(column);
  if (credential === null || typeof credential === "string") throw new Error(`no session may call ${name}`);
  const actor = await authenticateSession(scene.world.service.database, credential.token, new Date());
  if (actor === null) throw new Error(`the session of ${column} has ended`);
  return actor;
}

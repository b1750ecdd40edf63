import { authenticateApiKey } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import type { Database } from "@kb/db";
import { corpus } from "../corpus.ts";

/** The lengths of the documents, as those of the data sets of the bench. */
const characters = 1_200;
/** Others write in turn, so that each edit is a run of its own, with a revision. */
const writers = 2;

/** Writes documents by the operations of the service, and edits each of them several times. */
export async function writeRows(database: Database, documents: number, edits: number): Promise<void> {
  const service: Service = { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" };
  await admin.createTeam(service, { name: "Growth", adminEmail: emailOf(0) });
  for (let n = 1; n < writers; n += 1)
    await admin.createUser(service, { email: emailOf(n), name: `Writer ${n}`, group: "Editors" });
  const actors = await Promise.all(
    Array.from({ length: writers }, async (_, n) => {
      const { key } = await admin.createApiKey(service, { userEmail: emailOf(n), scopes: ["read", "write"] });
      const actor = await authenticateApiKey(database, key, service.clock.now());
      if (actor === null) throw new Error("the key of the benchmark is not valid");
      return actor;
    }),
  );
  const by = (n: number) => actors[n % writers] ?? actorMissing();
  const collection = await invoke(service, operations.createCollection, by(0), { name: "Growth" });
  const { texts } = corpus();
  const textOf = (n: number): string => (texts[n % texts.length] ?? "").slice(0, characters).toWellFormed();
  for (let n = 0; n < documents; n += 1) {
    const given = { title: `Document ${n}`, collectionId: collection.id, text: textOf(n), publish: true };
    const { id } = await invoke(service, operations.createDocument, by(n), given);
    for (let edit = 1; edit <= edits; edit += 1) {
      await invoke(service, operations.updateDocument, by(n + edit), { id, text: `${textOf(n)}\n\nEdit ${edit}.` });
    }
  }
}

const emailOf = (n: number): string => `writer-${n}@growth.example`;

function actorMissing(): never {
  throw new Error("there is no writer");
}

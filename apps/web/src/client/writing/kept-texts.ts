import { textsOfKept } from "@kb/live/session";
import { documentsOfDrafts, draftStore } from "./draft-store.ts";
import { dropSession, readKeptTitles, readLeftTexts, titleStore } from "./kept-sessions.ts";
import { lockOfSession, takeLock } from "./record-lock.ts";

/** Text by a user that only this device has. */
export type KeptText = {
  readonly key: string;
  readonly documentId: string;
  /** The title of its document; empty where it has none. */
  readonly title: string;
  /** Null where the device cannot read it. */
  readonly text: string | null;
  /** Deletes it from the device. Returns false where another tab writes it. */
  readonly discard: () => Promise<boolean>;
};

/** Returns all text of a user that only this device has, whether its documents can be opened or not; last, what it cannot read. */
export async function readKeptTexts(userId: string): Promise<readonly KeptText[]> {
  const found = await Promise.all([textsOfDrafts(userId), textsOfSessions(userId), textsOfTitles(userId)]);
  const texts = found.flat().filter(({ text }) => text?.trim() !== "");
  return texts.sort((a, b) => Number(a.text === null) - Number(b.text === null));
}

async function textsOfDrafts(userId: string): Promise<readonly KeptText[]> {
  const found = (await documentsOfDrafts(userId)).map(async (documentId): Promise<KeptText[]> => {
    const store = draftStore(userId, documentId);
    const draft = await store.read();
    if (draft === undefined) return [];
    const discard = async (): Promise<boolean> => {
      await store.drop();
      return true;
    };
    return [{ key: `draft ${documentId}`, documentId, title: draft.title, text: draft.text, discard }];
  });
  return (await Promise.all(found)).flat();
}

async function textsOfSessions(userId: string): Promise<readonly KeptText[]> {
  return (await readLeftTexts(userId)).map(({ key, title = "", changes }) => ({
    key,
    documentId: key.split(":")[1] ?? "",
    title,
    text: changes && textsOfKept(changes).join("\n\n"),
    discard: () => discardSession(key),
  }));
}

async function textsOfTitles(userId: string): Promise<readonly KeptText[]> {
  return (await readKeptTitles(userId)).map(({ documentId, title, before }) => ({
    key: `title ${documentId}`,
    documentId,
    title: before,
    text: title,
    discard: async () => {
      await titleStore(userId, documentId).drop();
      return true;
    },
  }));
}

/** A tab that writes the document would keep its text again. */
async function discardSession(key: string): Promise<boolean> {
  const release = await takeLock(lockOfSession(key), waitMs);
  if (release === undefined) return false;
  await dropSession(key).finally(release);
  return true;
}

const waitMs = 300;

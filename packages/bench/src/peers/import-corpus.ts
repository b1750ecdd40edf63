import { corpus } from "../corpus.ts";
import { type PathSubject, shortText } from "./paths.ts";

const concurrency = 8;
const changed = 20;
const readCharacters = 5_000;

/** Creates the real documents over REST, as an import does, and those that the requests need. */
export async function importCorpus(origin: string, key: string): Promise<PathSubject> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<{ id: string; teamId: string }> => {
    const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const { id: collectionId } = await post("/api/v1/collections", { name: "Corpus" });
  const create = (title: string, text: string) =>
    post("/api/v1/documents", { title, collectionId, text, publish: true });
  const { source, texts } = corpus();
  console.error(`importing ${texts.length} documents of ${source} …`);
  const queue = texts.entries();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const [n, text] of queue) {
        await create(/^title: *['"]?(.*?)['"]? *$/m.exec(text)?.[1]?.slice(0, 200) || `Document ${n}`, text);
      }
    }),
  );
  const changedIds: string[] = [];
  for (let n = 0; n < changed; n += 1) changedIds.push((await create(`Changed ${n}`, shortText)).id);
  const distance = (text: string): number => Math.abs(text.length - readCharacters);
  const read = texts.reduce((best, text) => (distance(text) < distance(best) ? text : best), "");
  const { id: documentId, teamId } = await create("Read", read);
  return { teamId, collectionId, documentId, changedIds };
}

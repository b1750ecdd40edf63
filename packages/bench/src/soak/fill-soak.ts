import { corpus } from "../corpus.ts";
import { pause } from "./process-state.ts";
import type { SoakData } from "./requests.ts";

const documentCount = 200;
const mostAttempts = 30;
const retryAfterMs = 2_000;

/** Creates a collection of real documents with the keys in turn, so that none exceeds its limit. */
export async function fillSoak(origin: string, keys: readonly string[]): Promise<SoakData> {
  let sent = 0;
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${keys[sent % keys.length]}`, "content-type": "application/json" };
    sent += 1;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text).data;
      const mayTryAgain = answer.status === 429 || answer.status === 503;
      if (!mayTryAgain || attempt === mostAttempts) throw new Error(`POST ${path}: ${answer.status} ${text}`);
      await pause(retryAfterMs);
    }
  };
  const { id: collectionId } = await post("/api/v1/collections", { name: "Soak" });
  const { texts } = corpus();
  const documents: string[] = [];
  for (let n = 0; n < documentCount; n += 1) {
    const text = texts[(n * 13) % texts.length] ?? "";
    documents.push((await post("/api/v1/documents", { collectionId, title: `Document ${n}`, text, publish: true })).id);
  }
  return { collectionId, documents, body: (texts[0] ?? "").slice(0, 4_000).toWellFormed() };
}

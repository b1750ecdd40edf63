import type { Actor } from "@kb/auth";
import { LRUCache } from "lru-cache";
import { ServiceError } from "../errors.ts";
import { charactersToRender, offload } from "../threads/offload.ts";

/** The HTML of a document at one revision. */
export type Article = { readonly revision: number; readonly html: string };

/** Memory for articles, in bytes: characters take up to two. */
const cacheBytes = 32 * 1024 * 1024;

const articles = new LRUCache<string, Article>({
  maxSize: cacheBytes,
  sizeCalculation: ({ html }, key) => 2 * (html.length + key.length),
});
const running = new Map<string, Promise<string>>();

const keyOf = ({ teamId }: Actor, id: string): string => `${teamId} ${id}`;

/**
 * Returns the cached HTML of a document, which may be of an older revision. The cache knows nothing of access: check it
 * before the HTML is used.
 */
export const cachedArticle = (actor: Actor, id: string): Article | undefined => articles.get(keyOf(actor, id));

/**
 * Renders a document for reading and keeps the HTML; a large one in a thread. Simultaneous readers of one revision wait for
 * one rendering, and a reader whose row was read before it ended takes its HTML.
 * @param content editor JSON as text
 * @throws {ServiceError} `too_complex`, `unavailable`
 */
export async function renderArticle(actor: Actor, id: string, revision: number, content: string): Promise<string> {
  const key = keyOf(actor, id);
  const kept = articles.get(key);
  if (kept?.revision === revision) return kept.html;
  const job = `${key} ${revision}`;
  const before = running.get(job);
  const render = (): Promise<string> => offload(actor.userId, "articleHtml", charactersToRender(content), { content });
  if (before !== undefined) {
    return before.catch((error: unknown) => {
      // It waited behind other tasks of the reader who came first. Those of this one may have a thread.
      if (error instanceof ServiceError && error.code === "unavailable") return render();
      throw error;
    });
  }
  const rendering = render();
  running.set(job, rendering);
  try {
    const html = await rendering;
    if ((articles.peek(key)?.revision ?? 0) < revision) articles.set(key, { revision, html });
    return html;
  } finally {
    running.delete(job);
  }
}

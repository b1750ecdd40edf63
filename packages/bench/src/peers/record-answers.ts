import type { Recording } from "../record.ts";
import type { HotPath } from "./paths.ts";

/** The headers that a bare handler sets by itself. */
const ofTheConnection = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/** Asks the service for the answer of each path, and returns it with the one statement of its floor. */
export async function recordAnswers(origin: string, key: string, paths: readonly HotPath[]): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const { scenario, pattern, statement } of paths) {
    const { method, path } = scenario;
    const body = scenario.body?.(-1);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${scenario.name}: ${answer.status} ${text}`);
    const { pathname, search } = new URL(path, origin);
    recordings.push({
      method,
      path: pattern ?? pathname,
      search,
      statements: [statement],
      answer: {
        status: answer.status,
        headers: Object.fromEntries([...answer.headers].filter(([name]) => !ofTheConnection.has(name))),
        body: text,
      },
    });
  }
  return recordings;
}

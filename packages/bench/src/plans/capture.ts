import { createApi } from "@kb/api";
import { connect } from "@kb/db";
import { clientIp, createLifecycle, createLogger, processLimiter } from "@kb/http";

/** One statement as the driver was given it. */
export type Sent = { readonly text: string; readonly values: readonly unknown[] };

/** A request, the statements that it sent, and what it answered. */
export type Captured = { readonly path: string; readonly statements: readonly Sent[]; readonly answer: unknown };

/** Asks the service in this process, and notes the statements of each request. */
export async function capture(
  url: string,
  asked: readonly { path: string; headers: Record<string, string> }[],
): Promise<Captured[]> {
  const seen: Sent[] = [];
  const database = connect({
    url,
    statementTimeoutMs: 120_000,
    onQuery: (text, values) => seen.push({ text, values }),
  });
  try {
    const app = createApi({
      service: { database, clock: { now: () => new Date() }, appUrl: "http://localhost:3000" },
      limiter: processLimiter(),
      logger: createLogger({ app: "bench", level: "silent" }),
      lifecycle: createLifecycle(),
      clientIp: clientIp([]),
      perMinute: 1_000_000,
    });
    const captured: Captured[] = [];
    for (const { path, headers } of asked) {
      seen.length = 0;
      const answer = await app.request(path, { headers });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body}`);
      captured.push({ path, statements: [...seen], answer: JSON.parse(body) });
    }
    return captured;
  } finally {
    await database.close();
  }
}

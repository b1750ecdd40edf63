import { setTimeout as pause } from "node:timers/promises";

/** One request of a load. */
export type Request = {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The response to a request; `status` is 0 if there was none. */
export type Answer = {
  readonly name: string;
  readonly status: number;
  readonly text: string;
  /** Milliseconds from the start of the load, and until the response was complete. */
  readonly at: number;
  readonly tookMs: number;
};

/** A running load. */
export type Load = {
  /** The responses so far. */
  readonly answers: readonly Answer[];
  /** Stops sending and waits for running requests. */
  stop(): Promise<readonly Answer[]>;
  /** Resolves when all requests are answered. */
  readonly done: Promise<readonly Answer[]>;
};

export type LoadOptions = {
  readonly origin: string;
  readonly perSecond: number;
  /** Number of requests. Default: until it is stopped. */
  readonly count?: number;
  /** The requests, sent in turn. */
  readonly requests: readonly ((index: number) => Request)[];
};

/** Starts an open-loop load: sends each request when it is due, however slow the responses are. */
export function startLoad({ origin, perSecond, count = Infinity, requests }: LoadOptions): Load {
  const answers: Answer[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  let stopped = false;
  const send = async (request: Request): Promise<void> => {
    const at = performance.now() - begun;
    const { status, text } = await ask(origin, request);
    answers.push({ name: request.name, status, text, at, tookMs: performance.now() - begun - at });
  };
  const run = async (): Promise<readonly Answer[]> => {
    for (let index = 0; index < count && !stopped; index += 1) {
      const early = (index * 1_000) / perSecond - (performance.now() - begun);
      if (early > 0) await pause(early);
      const request = requests[index % requests.length]?.(index);
      if (request === undefined) throw new Error("a load needs requests");
      const sending = send(request).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    await Promise.all(underWay);
    return answers;
  };
  const done = run();
  return {
    answers,
    done,
    stop: () => {
      stopped = true;
      return done;
    },
  };
}

async function ask(origin: string, request: Request): Promise<{ status: number; text: string }> {
  const { method = "GET", path, headers = {}, body } = request;
  try {
    const answer = await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
}

/** Summarizes failed responses: the number of each kind, with one of the texts. */
export function failures(answers: readonly Answer[], isFine: (answer: Answer) => boolean): string[] {
  const found = new Map<string, { count: number; answer: Answer }>();
  for (const answer of answers) {
    if (isFine(answer)) continue;
    const key = `${answer.name} ${answer.status}`;
    const { count = 0 } = found.get(key) ?? {};
    found.set(key, { count: count + 1, answer });
  }
  return [...found].map(
    ([
      key,
      {
        count,
        answer: { at, tookMs, text },
      },
    ]) => {
      const when = `the last at ${Math.round(at)} ms, after ${Math.round(tookMs)} ms`;
      return `${count} x ${key} (${when}): ${text.slice(0, 200)}`;
    },
  );
}

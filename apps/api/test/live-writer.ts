import { setTimeout as pause } from "node:timers/promises";
import { insertedText, type Person, type World } from "@kb/core/testing";

/** The origin that the processes of a test serve. */
export const origin = "http://localhost:3000";

/** Sends a body, as it is or as JSON, to one of the instances. */
export type Post = (path: string, body: object | string) => Promise<Response>;

/** Logs a person in. Each of their calls goes to the next instance, and fails after `timeoutMs`. */
export async function postAs(
  world: World,
  person: Person,
  urls: () => readonly string[],
  timeoutMs = 10_000,
): Promise<Post> {
  const { cookie, csrf } = await world.session(person);
  const headers = { Cookie: cookie, Origin: origin, "X-CSRF-Token": csrf, "Content-Type": "application/json" };
  let turn = 0;
  return (path, body) => {
    turn += 1;
    const instances = urls();
    return fetch(`${instances[turn % instances.length]}${path}`, {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
  };
}

/** Somebody who types without a pause, and sends each batch until it is acknowledged. */
export class LiveWriter {
  readonly clientId: string = crypto.randomUUID();
  readonly acknowledged: string[] = [];
  #isOver = false;
  readonly #name: string;
  readonly #post: Post;

  constructor(name: string, post: Post) {
    this.#name = name;
    this.#post = post;
  }

  stop(): void {
    this.#isOver = true;
  }

  async write(documentId: string): Promise<void> {
    const { lineage, schema, version } = await this.#answerOf("/api/live.open", { documentId });
    let since = version;
    while (!this.#isOver) {
      const seq = this.acknowledged.length + 1;
      const text = `[${this.#name}${seq}]`;
      const { clientId } = this;
      const batch = { documentId, lineage, schema, clientId, seq, base: since, steps: [insertedText(1, text)] };
      since = (await this.#answerOf("/api/live.push", batch)).version;
      this.acknowledged.push(text);
      await pause(150);
    }
  }

  /** Asks until an instance answers. */
  async #answerOf(path: string, body: object) {
    for (;;) {
      const reply = await this.#post(path, body).catch(() => null);
      if (reply?.status === 200) return (await reply.json()).data;
      if (reply !== null && ![429, 503].includes(reply.status))
        throw new Error(`${reply.status} ${await reply.text()}`);
      await pause(100);
    }
  }
}

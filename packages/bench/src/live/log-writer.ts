import type { LiveSite, Person } from "./open-live-site.ts";

type Opened = { readonly lineage: string; readonly schema: number; readonly version: number };
/** A person's own client of the log. */
type Client = { readonly person: Person; clientId: string; seq: number };

/** A client may send 40 batches in 5 s. A fast machine would send more, so that a new one takes its place. */
const mostOfClient = 40;

/** Sends a request as a person. @throws {Error} for any other status than 200 or 201 */
export async function send<Data>(port: number, person: Person | undefined, path: string, body?: object): Promise<Data> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...person?.headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data;
}

/** The steps that insert a character at the beginning of the first block. */
export const oneLetter = [{ stepType: "replace", from: 1, to: 1, slice: { content: [{ type: "text", text: "x" }] } }];

/** Sends batches one after another, each by the next person, so that nobody reaches the limit of a person or a client. */
export class LogWriter {
  readonly #port: number;
  readonly #documentId: string;
  readonly #opened: Opened;
  readonly #clients: readonly Client[];
  #version: number;
  #sent = 0;

  private constructor(port: number, documentId: string, opened: Opened, people: readonly Person[]) {
    this.#port = port;
    this.#documentId = documentId;
    this.#opened = opened;
    this.#version = opened.version;
    this.#clients = people.map((person) => ({ person, clientId: crypto.randomUUID(), seq: 0 }));
  }

  static async open({ people }: Pick<LiveSite, "people">, port: number, documentId: string): Promise<LogWriter> {
    const opened = await send<Opened>(port, people[0], "/api/live.open", { documentId });
    return new LogWriter(port, documentId, opened, people);
  }

  /** Inserts a character at the beginning of the first block, this often. */
  async write(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.#push();
  }

  async #push(): Promise<void> {
    const client = this.#clients[this.#sent % this.#clients.length];
    if (client === undefined) throw new Error("nobody writes");
    this.#sent += 1;
    if (client.seq === mostOfClient) {
      client.clientId = crypto.randomUUID();
      client.seq = 0;
    }
    client.seq += 1;
    const { lineage, schema } = this.#opened;
    const batch = {
      lineage,
      schema,
      clientId: client.clientId,
      seq: client.seq,
      base: this.#version,
      steps: oneLetter,
    };
    const answer = await send<Opened>(this.#port, client.person, "/api/live.push", {
      documentId: this.#documentId,
      ...batch,
    });
    this.#version = answer.version;
  }
}

import type { Actor } from "@kb/auth";
import { invoke, operations } from "../index.ts";
import type { Person, World } from "./world.ts";

/** A step that inserts a text into a paragraph or heading. */
export const insertedText = (position: number, text: string): Record<string, unknown> => ({
  stepType: "replace",
  from: position,
  to: position,
  slice: { content: [{ type: "text", text }] },
});

/** The facts of a session whose user proved at any time of a test who they are. */
const justProven = { csrfToken: "", provenAt: new Date("2999-01-01T00:00:00Z") };

/** Returns a person as they are in the app. */
export const inApp = ({ actor }: Person): Actor => ({
  ...actor,
  scopes: new Set(["read", "write", "admin"]),
  credential: { kind: "session", id: actor.userId, name: "Browser", session: justProven },
});

/** A client of live editing that knows its position, and sends one batch at a time. */
export class LiveClient {
  readonly documentId: string;
  readonly clientId: string = crypto.randomUUID();
  lineage = "";
  version = 0;
  seq = 0;
  schema = 1;
  readonly #world: World;
  readonly #actor: Actor;

  constructor(world: World, person: Person, documentId: string) {
    this.#world = world;
    this.#actor = inApp(person);
    this.documentId = documentId;
  }

  /** Opens the document and takes up its position. */
  async open() {
    const opened = await invoke(this.#world.service, operations.openLive, this.#actor, { documentId: this.documentId });
    this.lineage = opened.lineage;
    this.version = opened.version;
    this.schema = opened.schema;
    return opened;
  }

  /** Returns a batch as this client sends it next; fields can be replaced. */
  batch(steps: readonly unknown[], fields: object = {}) {
    const { documentId, lineage, clientId, seq, version, schema } = this;
    return { documentId, lineage, clientId, seq: seq + 1, base: version, schema, steps, ...fields };
  }

  /** Sends a batch as it is. */
  send(batch: object) {
    return invoke(this.#world.service, operations.pushSteps, this.#actor, batch);
  }

  /** Sends the steps and takes up the new version, without reading what others wrote. */
  async push(steps: readonly unknown[], fields: object = {}) {
    const answer = await this.send(this.batch(steps, fields));
    this.seq += 1;
    return answer;
  }

  /** Inserts a text at the beginning of the first block, and follows the log. */
  async type(text: string) {
    const answer = await this.push([insertedText(1, text)]);
    this.version = answer.version;
    return answer;
  }

  batches(since = 0) {
    const { documentId, lineage } = this;
    return invoke(this.#world.service, operations.pullBatches, this.#actor, { documentId, lineage, since });
  }
}

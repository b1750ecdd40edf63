import { setTimeout as pause } from "node:timers/promises";
import type { Person } from "../open-live-site.ts";

const pauseMs = 2_000;
const retryMs = 500;
const timeoutMs = 20_000;

/** An assistant that appends to documents over REST, each time until it is answered. */
export class ChaosAssistant {
  readonly appended: { readonly documentId: string; readonly piece: string }[] = [];
  readonly #name: string;
  readonly #person: Person;
  readonly #documentIds: readonly string[];
  readonly #ports: readonly number[];
  #count = 0;
  #isOver = false;

  constructor(name: string, person: Person, documentIds: readonly string[], ports: readonly number[]) {
    this.#name = name;
    this.#person = person;
    this.#documentIds = documentIds;
    this.#ports = ports;
  }

  stop(): void {
    this.#isOver = true;
  }

  async write(): Promise<void> {
    while (!this.#isOver) {
      this.#count += 1;
      const documentId = this.#documentIds[this.#count % this.#documentIds.length] ?? "";
      const piece = `[${this.#name}${this.#count}]`;
      await this.#append(documentId, piece);
      this.appended.push({ documentId, piece });
      await pause(pauseMs);
    }
  }

  /** A retry has the same key: what was lost is an answer, or the call. */
  async #append(documentId: string, piece: string): Promise<void> {
    const headers = {
      ...this.#person.headers,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    };
    const body = JSON.stringify({ op: "append", markdown: piece });
    for (let attempt = 0; ; attempt += 1) {
      const port = this.#ports[attempt % this.#ports.length];
      const url = `http://127.0.0.1:${port}/api/v1/documents/${documentId}/edits`;
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, { method: "POST", headers, body, signal }).catch(() => null);
      if (answer?.ok) return;
      // 409: an earlier attempt is still running.
      if (answer !== null && ![409, 429].includes(answer.status) && answer.status < 500) {
        throw new Error(`an assistant was refused: ${answer.status} ${await answer.text()}`);
      }
      await pause(retryMs);
    }
  }
}

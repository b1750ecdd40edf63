import { readFile, stat } from "node:fs/promises";
import { extname, posix } from "node:path";
import type { Actor } from "@kb/auth";
import { admin, invoke, operations, type Service, ServiceError } from "@kb/core";

/** Files beside the Markdown that its links and images name: each becomes an attachment once. */
export class Assets {
  readonly #service: Service;
  readonly #actor: Actor;
  readonly #collectionId: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #urls = new Map<string, Promise<string | null>>();
  /** Those that became attachments, or were attachments already. */
  readonly attached = new Set<string>();
  /** Those that could not, and why. */
  readonly notes: { path: string; message: string }[] = [];

  /** `files` is where each stands, by its path in the source. */
  constructor(service: Service, actor: Actor, collectionId: string, files: ReadonlyMap<string, string>) {
    this.#service = service;
    this.#actor = actor;
    this.#collectionId = collectionId;
    this.#files = files;
  }

  /** Whether a path of the source is such a file. */
  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The address of the attachment that a file became; null where it could not. The first document that names it has it. */
  urlOf(path: string, documentId: string): Promise<string | null> {
    const known = this.#urls.get(path) ?? this.#attach(path, documentId);
    this.#urls.set(path, known);
    return known;
  }

  async #attach(path: string, documentId: string): Promise<string | null> {
    try {
      const absolute = this.#files.get(path) ?? "";
      const { size } = await stat(absolute);
      const limit = this.#service.files?.maxBytes ?? 0;
      if (size > limit) throw new Error(`has more than ${limit.toLocaleString("en")} bytes`);
      const bytes = new Uint8Array(await readFile(absolute));
      const url = await this.#store(posix.basename(path), bytes, documentId);
      this.attached.add(path);
      return url;
    } catch (error) {
      if (!(error instanceof Error) || (error instanceof ServiceError && error.code === "unavailable")) throw error;
      this.notes.push({ path, message: `is not attached: ${error.message}` });
      return null;
    }
  }

  async #store(name: string, bytes: Uint8Array, documentId: string): Promise<string> {
    const place = { teamId: this.#actor.teamId, collectionId: this.#collectionId };
    const same = await admin.findSameAttachment(this.#service, place, { name, bytes });
    if (same !== null) return same;
    const contentType = textTypes[extname(name).toLowerCase()];
    const request = { name, bytes, documentId, ...(contentType === undefined ? {} : { contentType }) };
    return (await invoke(this.#service, operations.attachBytes, this.#actor, request)).url;
  }
}

/** What first bytes do not tell. */
const textTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".json": "application/json",
  ".html": "text/html",
};

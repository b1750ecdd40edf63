import { readFile, stat } from "node:fs/promises";
import { extname, posix } from "node:path";
import { admin, invoke, isQuotaExceeded, operations, ServiceError } from "@kb/core";
import { causeOf, type Explained, explain, type Note, noteOn } from "./explain.ts";
import { isTemporary } from "./is-temporary.ts";
import type { Place } from "./place.ts";

/** Attaches the files that links and images name, each once. */
export class Assets {
  readonly #place: Place;
  readonly #files: ReadonlyMap<string, string>;
  readonly #urls = new Map<string, Promise<string | null>>();
  /** Paths of files that are attachments now. */
  readonly attached = new Set<string>();
  /** Files that could not be attached, and why. */
  readonly notes: Note[] = [];

  /** `files` maps paths in the source to absolute paths. */
  constructor(place: Place, files: ReadonlyMap<string, string>) {
    this.#place = place;
    this.#files = files;
  }

  /** Returns whether a path of the source is a file other than Markdown. */
  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Attaches a file to the first document that names it; returns its address, or null if that is not possible. */
  urlOf(path: string, documentId: string): Promise<string | null> {
    const known = this.#urls.get(path) ?? this.#attach(path, documentId);
    this.#urls.set(path, known);
    // A failure is not kept: the file is attached when the page is tried again.
    known.catch(() => this.#urls.delete(path));
    return known;
  }

  async #attach(path: string, documentId: string): Promise<string | null> {
    try {
      const absolute = this.#files.get(path) ?? "";
      const { size } = await stat(absolute);
      const limit = this.#place.service.files?.maxBytes ?? 0;
      if (size > limit) return this.#leaveOut(path, explain("file_too_large", { limit }));
      const bytes = new Uint8Array(await readFile(absolute));
      const url = await this.#store(posix.basename(path), bytes, documentId);
      this.attached.add(path);
      return url;
    } catch (error) {
      if (!(error instanceof Error) || isQuotaExceeded(error)) throw error;
      if (isTemporary(error)) throw error;
      const { message } = error;
      const isRefused = error instanceof ServiceError;
      return this.#leaveOut(
        path,
        isRefused ? explain("file_refused", { message }) : explain("file_unreadable", { cause: causeOf(error) }),
      );
    }
  }

  #leaveOut(path: string, why: Explained): null {
    this.notes.push(noteOn(path, why));
    return null;
  }

  async #store(name: string, bytes: Uint8Array, documentId: string): Promise<string> {
    const { service, collectionId } = this.#place;
    const actor = this.#place.actor();
    const same = await admin.findSameAttachment(service, actor, collectionId, { name, bytes });
    if (same !== null) return same;
    const contentType = textTypes[extname(name).toLowerCase()];
    const request = { name, bytes, documentId, ...(contentType === undefined ? {} : { contentType }) };
    return (await invoke(service, operations.attachBytes, actor, request)).url;
  }
}

/** Media types that cannot be detected from the first bytes. */
const textTypes: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".json": "application/json",
  ".html": "text/html",
};

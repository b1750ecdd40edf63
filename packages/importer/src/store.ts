import { invoke, operations, ServiceError } from "@kb/core";
import type { DocJSON } from "markdown-codec";
import type { Assets } from "./assets.ts";
import type { Draft } from "./draft.ts";
import { type Existing, existingDocuments, noneExisting } from "./existing.ts";
import type { Place } from "./place.ts";
import type { Placed } from "./plan.ts";

/** The body of a document: its Markdown if nothing in it changed, else its content. */
export type Body = { readonly text: string } | { readonly content: DocJSON };

/** Where an import writes. */
export type Store = {
  existing(): Promise<Existing>;
  documentUrl(id: string): string;
  /** Returns the Markdown of a document, or null if there is no document of this id. */
  markdown(id: string): Promise<string | null>;
  /** Creates the document of a page. */
  create(placed: Placed, draft: Draft, body: Body): Promise<void>;
  /** Updates the document of an earlier import; returns whether it differed. */
  update(placed: Placed, draft: Draft, body: Body): Promise<boolean>;
  /** Replaces the body of a document that this import created. */
  replaceBody(id: string, body: Body): Promise<void>;
  /** Attaches a file of the source to a document; returns its address, or null if that is not possible. */
  attach(path: string, documentId: string): Promise<string | null>;
};

type NewPages = Place & { readonly publish: boolean };

/** Writes into a collection of the service. `publish: false` creates drafts. */
export function collectionStore({ service, actor, collectionId, publish }: NewPages, assets: Assets): Store {
  return {
    existing: () => existingDocuments(service, actor(), collectionId),
    documentUrl: (id) => `${service.appUrl}/documents/${id}`,
    markdown: async (id) => {
      try {
        return (await invoke(service, operations.getDocument, actor(), { id, format: "markdown" })).markdownText ?? "";
      } catch (error) {
        if (error instanceof ServiceError && error.code === "not_found") return null;
        throw error;
      }
    },
    create: async (placed, { title, emoji, tags, createdAt, draft }, body) => {
      await invoke(service, operations.importDocument, actor(), {
        id: placed.id,
        collectionId,
        parentDocumentId: placed.parentId,
        title,
        ...body,
        emoji: emoji ?? null,
        tags: tags ?? [],
        publish: publish && !draft,
        sortOrder: placed.position,
        ...(createdAt === null ? {} : { createdAt: createdAt.toISOString() }),
      });
    },
    update: async ({ id, existing }, { emoji, tags }, body) => {
      const change = { ...body, ...(emoji === undefined ? {} : { emoji }), ...(tags === null ? {} : { tags }) };
      const after = await invoke(service, operations.updateDocument, actor(), { id, ...change, return: "minimal" });
      return after.revision !== existing?.revision;
    },
    replaceBody: async (id, body) => {
      await invoke(service, operations.updateDocument, actor(), { id, ...body, return: "minimal" });
    },
    attach: (path, documentId) => assets.urlOf(path, documentId),
  };
}

/** Writes nothing: for a dry run, which reads and resolves everything. */
export const dryStore: Store = {
  existing: async () => noneExisting,
  documentUrl: (id) => `/documents/${id}`,
  markdown: async () => null,
  create: async () => {},
  update: async () => false,
  replaceBody: async () => {},
  attach: async (path) => `/files/${encodeURIComponent(path)}`,
};

import type { BootCollection, TreeNode, View } from "../api/contract.ts";

/** A document that somebody acts on, from wherever it is shown. */
export type Target = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly collectionId: string | null;
  readonly parentId: string | null;
  readonly isDraft: boolean;
  readonly isArchived: boolean;
  readonly abilities: {
    readonly edit: boolean;
    readonly publish: boolean;
    readonly archive: boolean;
    readonly unarchive: boolean;
    readonly delete: boolean;
    readonly createChild: boolean;
  };
};

/** Returns a row of the tree as the target of an action. Rows of the tree are active documents. */
export function targetOfNode(node: TreeNode, collection: BootCollection): Target {
  const { id, title, emoji, parentId, abilities } = node;
  return {
    id,
    title,
    emoji,
    parentId,
    collectionId: collection.id,
    isDraft: node.state === "draft",
    isArchived: false,
    abilities: {
      ...abilities,
      archive: abilities.delete,
      unarchive: false,
      createChild: collection.abilities.createDocument,
    },
  };
}

/** Returns the document of a page as the target of an action. */
export function targetOfView({ document, abilities }: View): Target {
  const { id, title, emoji, collectionId, parentDocumentId } = document;
  return {
    id,
    title,
    emoji,
    collectionId,
    parentId: parentDocumentId,
    isDraft: document.publishedAt === null,
    isArchived: document.archivedAt !== null,
    // The trash has actions of its own.
    abilities: document.deletedAt === null ? abilities : nothing,
  };
}

const nothing: Target["abilities"] = {
  edit: false,
  publish: false,
  archive: false,
  unarchive: false,
  delete: false,
  createChild: false,
};

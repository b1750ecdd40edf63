import type { BootCollection } from "../api/contract.ts";
import type { IconName } from "../icons/names.ts";

/** Actions on a collection, in the order of its menu. */
export const collectionActionNames = {
  create: { icon: "plus", label: "newDocument" },
  edit: { icon: "rename", label: "editCollection" },
  access: { icon: "lock", label: "manageAccess" },
  exportMarkdown: { icon: "download", label: "exportMarkdown" },
  exportHtml: { icon: "download", label: "exportHtml" },
  archive: { icon: "archive", label: "archiveCollection" },
  delete: { icon: "trash", label: "deleteCollection" },
} as const satisfies Record<string, { icon: IconName; label: string }>;

/** The name of an action on a collection. */
export type CollectionAction = keyof typeof collectionActionNames;

/** Returns the actions that the reader may take on a collection now. An archived one is unarchived by the bar of its page. */
export function collectionActions(
  { abilities, archivedAt }: BootCollection,
  capabilities: readonly string[],
): CollectionAction[] {
  const canExport = capabilities.includes("*") || capabilities.includes("export");
  const applies: Readonly<Record<CollectionAction, boolean>> = {
    create: abilities.createDocument,
    edit: abilities.edit,
    access: abilities.manage,
    exportMarkdown: canExport,
    exportHtml: canExport,
    archive: abilities.edit && archivedAt === null,
    delete: abilities.manage,
  };
  return names.filter((name) => applies[name]);
}

const isAction = (name: string): name is CollectionAction => name in collectionActionNames;
const names = Object.keys(collectionActionNames).filter(isAction);

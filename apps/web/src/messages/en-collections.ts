import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("en");

/** The words of the page of a collection, of files and of first use in English. */
export const enCollections = {
  // Files
  deleteFile: "Delete",
  deleteFileNamed: (name: string) => `Delete ${isolated(name)}`,
  deleteFileTitle: (name: string) => `Delete “${isolated(name)}”?`,
  deleteFileText:
    "Its address stops working for everybody. Documents that show it or link to it keep their text, and show it as missing. This cannot be undone.",

  // Collection
  collectionActions: (name: string) => `Actions for ${isolated(name)}`,
  sortBy: "Sort",
  sortOrder: "Own order",
  sortTitle: "Title",
  sortUpdated: "Last changed",
  newCollection: "New collection",
  editCollection: "Edit collection",
  editCollectionTitle: "Edit collection",
  collectionName: "Name",
  collectionIcon: "Emoji",
  collectionDescription: "Description",
  collectionColor: "Color",
  manageAccess: "Who has access",
  accessTitle: (name: string) => `Who has access to ${isolated(name)}`,
  accessEverybody: "Everybody in the team",
  placeReaders: (collection: string, names: string) => `Readers of ${isolated(collection)}: ${names}.`,
  placeReadersNone: (collection: string) => `Nobody but administrators reads ${isolated(collection)} so far.`,
  furtherReaders: (further: number) => count(further, { other: "# more" }),
  accessNone: "No access",
  accessRead: "Can read",
  accessWrite: "Can write",
  accessManage: "Can manage",
  accessOf: (name: string) => `Access of ${isolated(name)}`,
  accessRemove: (name: string) => `Remove the access of ${isolated(name)}`,
  accessAdd: "Add a person or a group",
  accessAddHint: "Type a name.",
  accessAddEmpty: "Nobody else of that name.",
  accessHint: "The highest of these counts. Drafts are shown only to those who can write.",
  group: "Group",
  person: "Person",
  exportMarkdown: "Export as Markdown (ZIP)",
  exportHtml: "Export as HTML (ZIP)",
  archiveCollection: "Archive collection",
  collectionArchived: (name: string) => `${isolated(name)} and its documents are in the archive now.`,
  deleteCollection: "Delete collection",
  deleteCollectionTitle: (name: string) => `Delete “${isolated(name)}”?`,
  deleteCollectionText:
    "Its documents go to the trash, and each can be restored into another collection. The collection itself, its description and the list of who has access cannot be brought back.",
  collectionDeleted: (name: string) => `${isolated(name)} was deleted.`,
  collectionEmptyReader: "This collection has no documents yet. Those who can write in it add the first one.",

  // First use
  homeWelcome: "Welcome to the knowledge base of your team.",
  homeFirst:
    "Documents are in collections, which the navigation lists. Documents that you read, star or write appear here, with what others change.",
  homeImport: "Import from Outline, Notion, Confluence, Obsidian or Markdown",

  // Access
  askOwner: "If you need this page, ask an administrator of your team for access, and send them its address.",
  copyAddress: "Copy the address",
  administrators: (names: string) => `Administrators of your team: ${names}.`,
  copyAddressByHand: (keys: string) => `Your browser did not allow copying. The address is selected: press ${keys}.`,

  // Without a clipboard
  pressCopyKeys: (keys: string) => `Press ${keys}`,
  linkNotCopied: (address: string) => `Your browser did not allow copying. The address is ${isolated(address)}`,
  mineNotCopied: "Your browser did not allow copying, so your text stays in place. Copy it by hand first.",

  // Back from the trash or the archive
  restored: (title: string) => `${isolated(title)} is back in its place.`,
  openRestored: "Open it",

  // The sidebar
  treeMore: "More documents",
};

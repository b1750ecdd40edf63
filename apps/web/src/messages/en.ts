import { enCollections } from "./en-collections.ts";
import { enCreating } from "./en-creating.ts";
import { enEditor } from "./en-editor.ts";
import { enFinding } from "./en-finding.ts";
import { enHistory } from "./en-history.ts";
import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";
import { spans } from "./spans.ts";

const count = plural("en");
const span = spans(count, {
  seconds: { one: "# second", other: "# seconds" },
  minutes: { one: "# minute", other: "# minutes" },
  hours: { one: "# hour", other: "# hours" },
});

/** The app's words in English. Every other language has the same keys. */
export const en = {
  // Frame
  skipToContent: "Skip to content",
  skipToNavigation: "Skip to navigation",
  skipToSearch: "Skip to search",
  navigation: "Navigation",
  openNavigation: "Open navigation",
  closeNavigation: "Close navigation",
  home: "Home",
  search: "Search",
  collections: "Collections",
  archive: "Archive",
  trash: "Trash",
  tags: "Tags",
  settings: "Settings",
  account: "Account",
  logOut: "Log out",
  logOutTitle: "Log out and lose unsaved text?",
  logOutText: (n: number) =>
    `Text of ${count(n, { one: "# document", other: "# documents" })} is only on this device, and logging out deletes it. Cancel, open the document, and wait until it says “Saved”.`,
  logOutAnyway: "Delete it and log out",
  logOutFailed: (reason: string) => `You are still logged in, and nothing was deleted. ${reason}`,
  logOutUnknown:
    "The service did not answer, so it is not known whether you are logged out. Nothing was deleted. Try again once the service can be reached.",
  appearance: "Appearance",
  themeSystem: "Same as the system",
  themeLight: "Light",
  themeDark: "Dark",
  language: "Language",
  documentation: "API documentation",

  starred: "Starred",
  showAllStars: (n: number) => `Show all ${count(n, { one: "# starred document", other: "# starred documents" })}`,
  newDocument: "New document",
  treeHelp:
    "Arrow keys move through the tree and open or close a row. F2 renames, Shift+F10 opens the menu, Alt with an arrow up or down changes the order.",
  treeFailed: "Did not load. Try again",
  lastNotices: "Last messages",
  noNotices: "No messages since this page was opened.",
  closeNotice: "Close this message",

  // States
  loading: "Loading…",
  tryAgain: "Try again",
  failed: "This did not load.",
  failedReference: (id: string) => `If it happens again, give your administrator this number: ${id}.`,
  notFoundTitle: "Page not found",
  notFound: "Nothing here, or you don’t have access.",
  notFoundHelp:
    "It may have been moved to the trash, or the link is incomplete. Search for it, or ask the person who sent you the link.",
  failedReason: "The service did not answer.",
  goHome: "Go to the home page",
  offline: "The service can’t be reached. Open pages stay readable.",
  pendingChanges: (n: number) =>
    `Changes of ${count(n, { one: "# document", other: "# documents" })} are saved on this device and sent later.`,
  busy: (seconds: number) => `Too many requests. Trying again in ${span(seconds)}.`,
  busyStatus: "The service is busy. Waiting before the next try.",
  unavailable: (seconds: number) => `The service is not available. Trying again in ${span(seconds)}.`,
  loggedOutTitle: "You are logged out",
  loggedOut: "Log in again in a new tab, then come back to this one. Nothing on this page is lost.",
  logInAgain: "Log in again",
  loggedInTitle: "You are logged in",
  loggedIn: "Close this tab and go back to the page that you came from.",
  newRelease: "A newer version of the app is available. Reload the page to continue.",
  reload: "Reload",

  // Home
  changedRecently: "Changed recently",
  noDocuments: "There are no documents yet.",

  // Collection
  collectionEmpty: "This collection has no documents yet.",
  printList: "Print the whole list",
  printListNote: (address: string) => `This list is longer than its page. Print all of it from ${address}`,
  documentCount: (n: number) => count(n, { one: "# document", other: "# documents" }),
  archivedCollection: "This collection is archived. It can be read, not changed.",
  previousPage: "Previous page",
  nextPage: "Next page",

  // Document
  breadcrumbs: "Breadcrumbs",
  breadcrumbsMore: (n: number) => `Show ${n} more levels`,
  onThisPage: "On this page",
  untitled: "Untitled",
  draft: "Draft",
  draftNotice: "This is a draft. Only people who may edit it can see it.",
  archivedNotice: "This document is archived. It does not appear in lists or in search.",
  trashedNotice: "This document is in the trash.",
  publish: "Publish",
  unarchive: "Unarchive",
  /** Before the day on which a document was archived. */
  movedToArchive: "Archived",
  /** Before the day on which a document was deleted. */
  movedToTrash: "Deleted",
  restore: "Restore",
  updatedBy: (name: string) => `Updated by ${isolated(name)}`,
  updated: "Updated",
  revision: (n: number) => `Revision ${n}`,
  readingTime: (minutes: number) => `${span(60 * minutes)} to read`,
  emptyDocument: "This document has no text yet.",
  subpages: "Subpages",
  copyCode: "Copy",
  copied: "Copied",
  linkToHeading: "Link to this heading",
  copyLink: "Copy link",
  star: "Star",
  unstar: "Remove star",
  history: "History",
  print: "Print",
  actions: "Actions",
  archiveAction: "Archive",
  moveToTrash: "Move to trash",

  actionsFor: (title: string) => `Actions for ${isolated(title)}`,
  newInside: "New page inside",
  newInsideOf: (title: string) => `New page inside ${isolated(title)}`,
  editAction: "Edit",
  renameAction: "Rename",
  emojiAction: "Change emoji",
  tagsAction: "Edit tags",
  moveAction: "Move",
  unpublish: "Turn into a draft",
  linkCopied: "Link copied.",
  draftCreated: (title: string) => `The draft ${isolated(title)} was created.`,
  openDraft: "Open it",
  published: "Published.",
  unpublished: "Turned into a draft.",
  archived: (title: string) => `${isolated(title)} is in the archive now.`,
  trashed: (title: string) => `${isolated(title)} is in the trash now.`,
  undo: "Undo",
  undone: "Undone.",
  actionFailed: "That did not work. Try again.",
  actionOffline: "The service could not be reached. Nothing was changed.",
  actionGone: "This no longer exists, or you no longer have access.",
  actionUnproven: "Not done, because you did not confirm that it is you.",
  actionLimited: (seconds: number) => `Too many requests. Nothing was changed. Try again in ${span(seconds)}.`,
  actionForbidden: "You don’t have permission for this.",
  taskWithoutText: "Task without text",
  actionConflict: "Somebody changed this document in the meantime. Reload it and try again.",
  /** Why the service refused something: its own sentence, which is English. Other languages have one for each code. */
  refusal: (sentence: string, _code: string) => sentence,
  notMoved: (title: string, reason: string) => `${isolated(title)} was not moved. ${reason}`,
  moved: (title: string) => `${isolated(title)} was moved.`,
  moveTitle: (title: string) => `Move ${isolated(title)}`,
  movePrompt: "Find a collection or a document",
  moveHint: "Everything below it moves along. In another collection, other people may see it.",
  renameTitle: "Rename document",
  titleField: "Title",
  emojiTitle: "Change emoji",
  emojiField: "One emoji",
  emojiChoices: "Common emoji",
  emojiRemove: "Remove emoji",
  tagsTitle: "Edit tags",
  tagsPrompt: "Add a tag",
  tagsNone: "No tags left to add. Type a name to create one.",
  tagCreate: (name: string) => `Create tag “${isolated(name)}”`,
  tagRestricted: "Restricted",
  tagRemove: (name: string) => `Remove tag ${isolated(name)}`,
  // Writing
  writing: (title: string) => `Writing ${isolated(title)}`,
  done: "Done",
  markdownField: "Markdown",
  writingHelp: "Saved by itself while you write. Ctrl+Enter is done, Ctrl+S saves at once.",
  statusSaved: "Saved",
  statusSaving: "Saving…",
  statusPending: "Not saved yet",
  statusKept: "Saved on this device, not sent yet",
  statusFailed: (reason: string) => `Not saved: ${reason} Your text is on this device, and is sent again by itself.`,
  statusConflict: "Not saved: somebody else changed this document",
  conflict:
    "Somebody changed this document while you were writing. Your text is safe on this device. Choose which version stays; the other one is not lost: a replaced version is in the history, and your own is copied to the clipboard.",
  keepMine: "Save mine instead",
  takeTheirs: "Take the other version",
  showTheirs: "Show the other version",
  theirText: "Text of the other version",
  textOf: (name: string) => `Text of ${isolated(name)}`,
  mineCopied: "Your text is on the clipboard.",
  keptOnDevice: (title: string) =>
    `${isolated(title)} is not saved yet. Your text is on this device: open it to go on.`,
  cancel: "Cancel",
  save: "Save",

  backlinks: "Linked from",
  files: "Files",
  properties: "Properties",
  created: "Created",
  length: "Length",
  wordCount: (n: number) => count(n, { one: "# word", other: "# words" }),

  /** Names a table, which the keyboard reaches where it scrolls. */
  tableName: "Table",

  // Lists
  showMore: (n: number) => count(n, { other: "Show more (#)" }),
  andMore: (n: number) => count(n, { other: "And # more." }),
  documents: "Documents",
  collection: "Collection",
  pages: "Pages",
  drafts: "Drafts",
  draftsEmpty: "No drafts. A document is a draft until it is published.",
  archiveEmpty: "Nothing is archived. Archived documents stay readable, but leave lists and search.",
  trashEmpty: "The trash is empty.",
  trashHelp: "Documents stay here for a while before they are deleted for good. You see those that you may restore.",
  tagEmpty: "No documents with this tag.",
  tagsEmpty: "No tags yet. Add one to a document.",
  recentlyViewed: "Recently viewed",
  changedByOthers: "Changed by others",
  myDrafts: "My drafts",
  allDrafts: "All drafts",

  // Trash
  destroy: "Delete forever",
  destroyTitle: (title: string) => `Delete “${title}” forever?`,
  destroyText:
    "The document, the documents deleted with it, and all of their versions are lost. This cannot be undone.",
  emptyTrash: "Empty trash",
  emptyTrashTitle: "Empty the trash?",
  emptyTrashText:
    "All documents that you see in the trash are deleted with all of their versions. This cannot be undone.",
  emptyTrashWord: "delete",
  typeToConfirm: (word: string) => `Type “${word}” to confirm`,
  chooseCollection: "Choose a collection",
  chooseCollectionText: "The collection of this document is gone. Choose where to restore it.",
  noWritableCollection: "The collection of this document is gone, and you cannot create documents in another one.",

  ...enCollections,
  ...enCreating,
  ...enEditor,
  ...enFinding,
  ...enHistory,
};

/** The app's words in one language. A language that lacks a key does not compile. */
export type Messages = typeof en;

import { isolated } from "./isolated.ts";
import { plural } from "./plural.ts";

const count = plural("en");

/** The words of search, of quick open and of keys in English. */
export const enFinding = {
  // Search
  searchLabel: "Words to search for",
  searchPrompt: "Search titles, text and tags. Put a phrase in quotes; a minus leaves a word out.",
  searchEmpty: (query: string) => `Nothing found for “${query}”.`,
  searchResults: (n: number) => count(n, { one: "# result", other: "# results" }),
  searchResultsAtLeast: (n: number) => count(n, { one: "More than # result", other: "More than # results" }),

  // Quick open
  quickOpen: "Quick open",
  quickOpenPrompt: "Open a document or run a command",
  goTo: "Go to",
  goToHome: "Go to Home",
  goToSearch: "Go to Search",
  goToCollection: (name: string) => `Go to ${isolated(name)}`,
  themeCommand: (name: string) => `Appearance: ${name}`,
  commands: "Commands",
  commandsNone: "No command of that name.",
  createTitled: (title: string) => `Create document “${isolated(title)}”`,
  foundInText: "In the text",
  searchFor: (query: string) => `Search everything for “${query}”`,

  // Shortcuts
  shortcuts: "Keyboard shortcuts",

  // Keys and help
  help: "Help and shortcuts",
  close: "Close",
  toggleNavigation: "Show or hide the navigation",
  hideNavigation: "Hide navigation",
  showNavigation: "Show navigation",
  nextRegion: "Next part of the page",
  previousRegion: "Previous part of the page",
  closeLayer: "Close the menu or dialog in front",
  openTreeRow: "Close or open a row of the tree",
  toggleStar: "Star or remove the star",
  findInPage: "Find in the page",
  saveNow: "Save now",
  goToDrafts: "Go to Drafts",
  goToTrash: "Go to Trash",
  goToSettings: "Go to Settings",
  keysAnywhere: "Anywhere",
  keysReading: "On a document",
  keysWriting: "While writing",
  keysText: "In the text of the editor",
  keysThen: "then",
  keysOr: "or",
  singleKeys: "Shortcuts of a single key",
  singleKeysHelp:
    "Such as N and G then H. They work outside of fields. Switch them off if keys do something that you did not mean, or if you use speech input. The others keep working.",
  helpFinding: "Find something",
  helpQuickOpen:
    "Quick open, by Ctrl+K or ⌘K, opens a document by words of its title or of its text. Type > for commands.",
  helpPrograms: "For programs and assistants",
  helpApi: "Programs read and write the same documents by the REST API.",

  // Filters of a search
  searchFilters: "Filters",
  searchInCollection: "Collection",
  searchWithTag: "Tag",
  searchWithStatus: "State",
  anyCollection: "All collections",
  anyTag: "All tags",
  anyStatus: "Drafts and published",
  onlyDrafts: "Drafts",
  onlyPublished: "Published",
  onlyArchived: "Archived",
  collectionNotFound: "Collection not found",
  clearFilters: "Clear filters",
  searchSimilar: "Nothing matches exactly what you typed. These results have similar words.",
  searchEmptyFiltered: (query: string) => `Nothing found for “${query}” with these filters.`,
  searchEmptyHelp: "Check the spelling, use fewer words, or write only the beginning of a long word.",
};

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
  foundInText: "In the text",
  searchFor: (query: string) => `Search everything for “${query}”`,

  // Shortcuts
  shortcuts: "Keyboard shortcuts",

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

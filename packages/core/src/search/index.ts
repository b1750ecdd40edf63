export { indexDocument } from "./index-document.ts";
export { languageColumn } from "./language-column.ts";
export { PreferredLanguage } from "./preferred-language.ts";
export { searchDocuments, searchPage, TotalIsMinimum } from "./search.ts";
export { plainSnippet } from "./snippet.ts";
export { addTerms } from "./vocabulary.ts";

export { indexDocument } from "./index-document.ts";
export { searchDocuments, searchPage } from "./search.ts";
export { plainSnippet } from "./snippet.ts";
export { addTerms } from "./vocabulary.ts";

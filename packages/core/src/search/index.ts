export { indexDocument, type Searchable, type SearchIndex } from "./index-document.ts";
export { SearchPage, searchDocuments } from "./search.ts";
export { addTerms } from "./terms.ts";

export { indexDocument, type Searchable, type SearchIndex } from "./index-document.ts";
export { recordTerms } from "./terms.ts";

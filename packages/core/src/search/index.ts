export { indexDocument } from "./index-document.ts";
export { searchDocuments, searchPage } from "./search.ts";
export { addTerms } from "./vocabulary.ts";

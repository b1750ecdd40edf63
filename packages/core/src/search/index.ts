export { indexDocument } from "./index-document.ts";
export { searchDocuments } from "./search.ts";
export { addTerms } from "./terms.ts";

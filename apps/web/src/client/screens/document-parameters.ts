/** Parameters in the address of a document: whether it is being written. */
export type DocumentParameters = { edit?: true };

/** Reads the parameters of an address; what makes no sense is left out. */
export function documentParameters({ edit }: Record<string, unknown>): DocumentParameters {
  return edit === true || edit === "true" || edit === "" ? { edit: true } : {};
}

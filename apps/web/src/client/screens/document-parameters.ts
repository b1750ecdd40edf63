/** Parameters in the address of a document: whether it is being written, and that as Markdown. */
export type DocumentParameters = { edit?: true | "source" };

/** Reads the parameters of an address; what makes no sense is left out. */
export function documentParameters({ edit }: Record<string, unknown>): DocumentParameters {
  if (edit === "source") return { edit };
  return edit === true || edit === "true" || edit === "" ? { edit: true } : {};
}

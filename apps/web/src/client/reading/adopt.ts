let adopted: { readonly key: string; readonly node: HTMLElement } | undefined;

/** Names the state of a document that an article shows. */
export const articleKey = (id: string, revision: number): string => `${id}@${revision}`;

/** Keeps the article that the server rendered, before the app replaces what is around it. */
export function keepServerArticle(): void {
  const node = document.querySelector<HTMLElement>("article[data-key]");
  if (node !== null) adopted = { key: node.dataset.key ?? "", node };
}

/** Returns the server's article if it shows this state of the document. The page holds its text only here. */
export function adoptArticle(key: string): HTMLElement | undefined {
  if (adopted?.key !== key || adopted.node.dataset.key !== key) return undefined;
  return adopted.node;
}

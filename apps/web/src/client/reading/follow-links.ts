/** The screens of the app to which texts link. Everything else, such as a file or a page for printing, is the server's. */
const screens = /^\/(?:new$|documents\/|(?:collections|tags)\/[^/]+\/?$)/;

/**
 * Follows links of a text to documents, collections, tags and the page of a new document within the app, by calling `open` with the
 * path. Other links, keys and buttons stay the browser's. Returns a function that ends it.
 */
export function followLinks(article: HTMLElement, open: (path: string) => void): () => void {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.getAttribute("href")?.startsWith("#") !== false) return;
    const { origin, pathname, search, hash } = link;
    if (origin !== location.origin || !screens.test(pathname)) return;
    event.preventDefault();
    open(`${pathname}${search}${hash}`);
  };
  article.addEventListener("click", follow);
  return () => article.removeEventListener("click", follow);
}

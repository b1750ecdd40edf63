// Scripts without spaces are counted by their characters.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;

/** Returns the number of words in a text. */
export const countWords = (text: string): number => text.match(word)?.length ?? 0;

/** Returns the number of words in HTML that the service rendered from a document. */
export const countWordsOfHtml = (html: string): number =>
  countWords(html.replace(/<[^>]*>/g, "").replace(/&#?\w+;/g, "'"));

/** Returns the number of words in an article, without the buttons that the app added to it. */
export function countWordsOfArticle(article: HTMLElement): number {
  const added = [...article.querySelectorAll(".copy-code")].map(({ textContent }) => countWords(textContent));
  return countWords(article.textContent) - added.reduce((sum, each) => sum + each, 0);
}

/** A piece of text that one writer writes once, such as `[a17]`. Markdown escapes its bracket. */
const pattern = /\\?\[([a-zA-Z]\d+)\\?\]/g;

/** Returns the piece of a writer, named by a letter, with a number. */
export const pieceOf = (writer: string, number: number): string => `[${writer}${number}]`;

/** Returns the writer of a piece. */
export const writerOf = (piece: string): string => piece.charAt(1);

/**
 * Returns the pieces in a text, Markdown or JSON, those within others first. A piece may get into another one: a restore keeps the
 * words and brackets that both states have, and what others write meanwhile comes between them.
 */
export function piecesIn(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = before.replaceAll(pattern, (_piece, name: string) => {
      pieces.push(`[${name}]`);
      return "";
    });
  }
  return pieces;
}

import { raw, type Sql, sql } from "@kb/db";

/**
 * The parts of the body that a query reads: the plain text, unless `text` is false, and what else is named. `smallContent` is
 * the content as text, null for a large body, which is only edited in a thread. `smallIndex` is the search index, null likewise.
 */
export type BodyParts = {
  text?: boolean;
  markdown?: boolean;
  content?: boolean;
  smallContent?: boolean;
  smallIndex?: boolean;
};

/** The bytes of bodies that are read at once for an answer; one body may exceed it. */
export const maxBytesAtOnce = 1_000_000;

/** The columns that tell which bodies a list has read. */
export type BodyColumns = {
  /** The bytes of the parts that the list shows. */
  readonly bodyBytes: number;
  /** False if the bodies before this one have used up the bytes that are read at once: its parts are null. */
  readonly isBodyRead: boolean;
};

/** The columns of a list's bodies. */
export type ListedBodies = {
  readonly parts: { readonly text: Sql; readonly markdown: Sql; readonly content: Sql };
  readonly columns: Sql;
};

/**
 * Returns the columns of bodies `b` for a list of documents `d` in an order: at most `maxBytesAtOnce` of them, and at least
 * the first. The length of a body is known without reading it; that of the content is taken for that of the Markdown.
 */
export function listedBodies({ text = true, markdown = false, content = false }: BodyParts, order: Sql): ListedBodies {
  const ofMarkdown = sql`COALESCE(octet_length(b.markdown), 0)`;
  const lengths = [
    ...(text ? [sql`octet_length(b.text)`] : []),
    ...(markdown ? [ofMarkdown] : []),
    ...(content ? [ofMarkdown] : []),
  ];
  if (lengths.length === 0) {
    return {
      parts: { text: sql`''`, markdown: sql`NULL`, content: sql`NULL` },
      columns: sql`0 AS "bodyBytes", TRUE AS "isBodyRead"`,
    };
  }
  const bytes = lengths.reduce((sum, length) => sql`(${sum} + ${length})`);
  const isRead = sql`sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${bytes} < ${most}`;
  return {
    parts: {
      text: text ? sql`CASE WHEN ${isRead} THEN b.text END` : sql`''`,
      markdown: markdown ? sql`CASE WHEN ${isRead} THEN b.markdown END` : sql`NULL`,
      content: content ? sql`CASE WHEN ${isRead} THEN b.content END` : sql`NULL`,
    },
    columns: sql`${bytes} AS "bodyBytes", ${isRead} AS "isBodyRead"`,
  };
}

const most = raw(String(maxBytesAtOnce));

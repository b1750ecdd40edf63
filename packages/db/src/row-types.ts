import pg from "pg";

const int8Oid = pg.types.builtins.INT8;
function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const timestamptzOid = pg.types.builtins.TIMESTAMPTZ;
const parseAnyMoment = pg.types.getTypeParser(timestamptzOid, "text");
/** A time as a session in UTC shows it, with the precision that is stored. */
const usualMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?\+00$/;

/** Parses the usual form of a time natively, which takes a third of the time of the driver's parser. */
function parseMoment(text: string): unknown {
  if (!usualMoment.test(text)) return parseAnyMoment(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** An array of texts as PostgreSQL writes it where none of them needs quotes. */
const plainTexts = /^\{[^{}"\\]*\}$/;
/** The types text[], varchar[] and uuid[]. */
const textArrayOids: ReadonlySet<number> = new Set([1009, 1015, 2951]);
const textArrayOid: number = 1009;
const parseAnyTexts = pg.types.getTypeParser(textArrayOid, "text");

/** Parses the usual array of texts or ids at once, of which each caller has several; the driver reads sign by sign. */
function parseTexts(text: string): unknown {
  if (!plainTexts.test(text)) return parseAnyTexts(text);
  if (text === "{}") return [];
  const items = text.slice(1, -1).split(",");
  // A text that reads NULL is written with quotes.
  return items.includes("NULL") ? items.map((item) => (item === "NULL" ? null : item)) : items;
}

/**
 * Parsers of raw rows: int8 (a count, a sequence) becomes a number if it is safe, else a bigint; timestamptz a
 * Date; everything else is parsed by the driver (jsonb to its value, bytea to a Buffer, numeric to a string).
 */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === int8Oid && format !== "binary") return parseInt8;
    if (oid === timestamptzOid && format !== "binary") return parseMoment;
    if (textArrayOids.has(oid) && format !== "binary") return parseTexts;
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  },
};

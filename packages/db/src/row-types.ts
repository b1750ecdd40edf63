import pg from "pg";

const int8Oid = pg.types.builtins.INT8;
function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * How raw rows are read: int8 (a count, a sequence) as a number where it is safe, else as a bigint; everything else as
 * the driver does it (timestamptz a Date, jsonb its value, bytea a Buffer, numeric a string).
 */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === int8Oid && format !== "binary") return parseInt8;
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  },
};

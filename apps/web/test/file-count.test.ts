import { expect, it } from "vitest";
import { FileCount } from "../src/client/transfer/file-count.ts";

const countIn = (pieces: readonly string[]): number => {
  const count = new FileCount();
  for (const piece of pieces) count.add(Buffer.from(piece, "latin1"));
  return count.files;
};

it.each([
  [[], 0],
  [["PK\x03\x04abcPK\x03\x04"], 2],
  [["P", "K", "\x03", "\x04", "PK\x03", "\x04"], 2],
  [["PPK\x03\x04", "PKPK\x03\x04PK\x03PK\x03\x04"], 3],
  [["PK\x01\x02PK\x05\x06", "", "P"], 0],
])("the files of an archive in the pieces %j are %i", (pieces, files) => {
  expect(countIn(pieces)).toBe(files);
});

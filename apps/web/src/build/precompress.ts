import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = /\.(?:js|css|svg|json|map)$/;

/** Writes a `.br` and a `.gz` beside each text file of the folder, as small as they get. */
export async function precompress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name) && !name.endsWith(".map"));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      await writeFile(`${path}.br`, await smallestBrotli(bytes));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Codes of distances (RFC 7932 §4): which one makes a file smaller depends on the file. */
const distances = [
  { postfix: 0, direct: 0 },
  { postfix: 0, direct: 8 },
  { postfix: 3, direct: 32 },
];

async function smallestBrotli(bytes: Buffer): Promise<Buffer> {
  const forms = await Promise.all(
    distances.map(({ postfix, direct }) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          [constants.BROTLI_PARAM_NDIRECT]: direct,
        },
      }),
    ),
  );
  return forms.reduce((smallest, form) => (form.length < smallest.length ? form : smallest));
}

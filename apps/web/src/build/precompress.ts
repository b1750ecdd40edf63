import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = /\.(?:js|css|svg|json)$/;

/** Writes a `.br` and a `.gz` beside each text file of the folder, as small as they get. */
export async function precompress(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => compressible.test(name));
  await Promise.all(
    (await largestFirst(folder, names)).map(async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      const quality = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Returns the names in the order in which the threads begin with them: a large file that came last would keep one thread at work alone. */
async function largestFirst(folder: string, names: readonly string[]): Promise<string[]> {
  const sized = await Promise.all(names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })));
  return sized.sort((one, other) => other.size - one.size).map(({ name }) => name);
}

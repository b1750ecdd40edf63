import { encode } from "uqr";
import { z } from "zod";

/** A QR code as a path of SVG in a square from 0 to `size`: dark modules on light ground, without the quiet zone around them. */
export const QrCode = z.object({ size: z.int(), path: z.string() });

/** Draws a text of at most 2,900 characters as a QR code. */
export function drawQrCode(text: string): z.output<typeof QrCode> {
  const { size, data } = encode(text, { ecc: "L", border: 0 });
  const rows = data.map((row, y) => runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`));
  return { size, path: rows.flat().join("") };
}

type Run = { readonly x: number; readonly length: number };

/** Returns the runs of dark modules of a row. */
function runsOf(row: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  let start: number | undefined;
  for (const [x, isDark] of [...row, false].entries()) {
    if (isDark) start ??= x;
    else if (start !== undefined) {
      runs.push({ x: start, length: x - start });
      start = undefined;
    }
  }
  return runs;
}

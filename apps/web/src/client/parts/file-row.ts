import type { Locale } from "../../messages/index.ts";

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
/** Larger pictures would take long to arrive only to be shown small. */
const largestPreviewBytes = 1_000_000;

/** Returns whether a file stands in a list as a small picture. */
export const hasPreview = ({ isPicture, size }: { readonly isPicture: boolean; readonly size: number }): boolean =>
  isPicture && size <= largestPreviewBytes;

const longestExtension = 5;

/** Returns a size in words, such as "48 kB", with at most one decimal below ten. */
export function sizeText(bytes: number, locale: Locale): string {
  let value = bytes;
  let step = 0;
  while (value >= 1_000 && step < units.length - 1) {
    value /= 1_000;
    step += 1;
  }
  const maximumFractionDigits = value < 10 && step > 0 ? 1 : 0;
  const unit = units[step] ?? "byte";
  const unitDisplay = step === 0 ? "long" : "short";
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(value);
}

/** Returns what stands for a file that is no picture: the end of its name, such as "PDF", or nothing. */
export function extensionOf(name: string): string {
  const [, extension = ""] = /[^.]\.([a-z0-9]+)$/i.exec(name) ?? [];
  return extension.length > longestExtension ? "" : extension.toUpperCase();
}

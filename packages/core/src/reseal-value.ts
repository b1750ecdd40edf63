import type { Sealer } from "@kb/auth";

/** The number of secrets that were resealed, were current already, or cannot be opened with either secret. */
export type Resealed = { resealed: number; current: number; unreadable: number };

/** The sealers of the installation's present and previous secret. */
export type Sealers = { readonly present: Sealer; readonly previous: Sealer };

/** Seals a value under the present secret; returns the same bytes if it is already, or cannot be opened at all. */
export function resealValue(
  sealed: Uint8Array,
  { present, previous }: Sealers,
): { sealed: Uint8Array; came: keyof Resealed } {
  if (opened(sealed, present) !== null) return { sealed, came: "current" };
  const plain = opened(sealed, previous);
  return plain === null ? { sealed, came: "unreadable" } : { sealed: present.seal(plain), came: "resealed" };
}

function opened(sealed: Uint8Array, { open }: Sealer): Uint8Array | null {
  try {
    return open(sealed);
  } catch {
    return null;
  }
}

import { withoutInvisible } from "@kb/core";

/**
 * Cleans a text that a stranger chose, for display: removes control, invisible and bidirectional characters, collapses
 * spaces, and truncates it to `maxCharacters`. Null if nothing remains.
 */
export function displayText(text: string, maxCharacters: number): string | null {
  const plain = withoutInvisible(text)
    .replaceAll(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .replaceAll(/[\s\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .normalize("NFC")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim();
  const characters = [...plain];
  if (characters.length === 0) return null;
  return characters.length <= maxCharacters ? plain : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

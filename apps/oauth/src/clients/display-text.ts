/**
 * What may be shown of a text that a stranger chose: no control characters, nothing that turns the direction of what
 * stands beside it or cannot be seen, one space where there were several, and no more than so many characters. Null where
 * nothing is left.
 */
export function displayText(text: string, maxCharacters: number): string | null {
  const plain = text
    .replaceAll(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]/gu, "")
    .replaceAll(/[\s\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .normalize("NFC")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim();
  const characters = [...plain];
  if (characters.length === 0) return null;
  return characters.length <= maxCharacters ? plain : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

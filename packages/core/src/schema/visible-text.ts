/** Characters without a glyph and controls of the writing direction: with them, different names look alike. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/v;

const emojiOrInvisible = /(\p{RGI_Emoji})|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gv;

/**
 * Removes default-ignorable and bidirectional characters from a name. Those inside an emoji stay, because they decide how
 * it looks.
 */
export function withoutInvisible(text: string): string {
  return invisible.test(text) ? text.replaceAll(emojiOrInvisible, (_match, emoji?: string) => emoji ?? "") : text;
}

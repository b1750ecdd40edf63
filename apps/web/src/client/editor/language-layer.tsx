import { loadCodeWords } from "../../messages/code/index.ts";
import { boot } from "../app/boot.ts";
import { TypedAhead } from "../app/typed-ahead.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import type { LanguagePickerProps } from "./language-picker.tsx";

/** The field for the language of a block of code, with its words in the language of the reader. */
export const LanguageLayer = lazyLayer<Omit<LanguagePickerProps, "words">>(async () => {
  const [{ LanguagePicker }, words] = await Promise.all([
    import("./language-picker.tsx"),
    loadCodeWords(boot().locale),
  ]);
  return (props) => <LanguagePicker {...props} words={words} />;
}, TypedAhead);

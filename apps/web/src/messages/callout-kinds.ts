import type { Locale } from "./index.ts";

/** The kinds of callouts in each language. In English they are shown as Markdown has them, and so is one without a word here. */
export const calloutKinds: Readonly<Partial<Record<Locale, ReadonlyMap<string, string>>>> = {
  ar: new Map([
    ["note", "ملاحظة"],
    ["tip", "نصيحة"],
    ["important", "مهم"],
    ["warning", "تحذير"],
    ["caution", "تنبيه"],
    ["info", "معلومة"],
    ["danger", "خطر"],
    ["success", "نجاح"],
  ]),
};

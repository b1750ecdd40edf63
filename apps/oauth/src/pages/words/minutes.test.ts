import { expect, it } from "vitest";
import { pageWordsOf } from "./page-words-of.ts";

it.each([
  [1, "in a minute.", "بعد دقيقة."],
  [2, "in 2 minutes.", "بعد دقيقتين."],
  [5, "in 5 minutes.", "بعد 5 دقائق."],
  [15, "in 15 minutes.", "بعد 15 دقيقة."],
])(
  "a wait of %i minutes after failed log-ins is told as people say it, in each language",
  (minutes, english, arabic) => {
    expect(pageWordsOf("en").logIn.throttled(minutes).endsWith(english)).toBe(true);
    expect(pageWordsOf("ar").logIn.throttled(minutes).endsWith(arabic)).toBe(true);
  },
);

import { expect, it } from "vitest";
import { ar } from "../src/messages/ar.ts";
import { en } from "../src/messages/en.ts";

it.each([
  [1, "in 1 second.", "خلال ثانية واحدة."],
  [2, "in 2 seconds.", "خلال ثانيتين."],
  [59, "in 59 seconds.", "خلال 59 ثانية."],
  [60, "in 1 minute.", "خلال دقيقة واحدة."],
  [61, "in 2 minutes.", "خلال دقيقتين."],
  [298, "in 5 minutes.", "خلال 5 دقائق."],
])("a wait of %i seconds is told as people say it, in each language", (seconds, english, arabic) => {
  for (const name of ["busy", "unavailable"] as const) {
    expect(en[name](seconds).endsWith(english), en[name](seconds)).toBe(true);
    expect(ar[name](seconds).endsWith(arabic), ar[name](seconds)).toBe(true);
  }
});

it.each([
  [1, "1 minute to read", "دقيقة واحدة للقراءة"],
  [2, "2 minutes to read", "دقيقتان للقراءة"],
  [89, "89 minutes to read", "89 دقيقة للقراءة"],
  [95, "2 hours to read", "ساعتان للقراءة"],
  [700, "12 hours to read", "12 ساعة للقراءة"],
])("a text of %i minutes is told as people say it, in each language", (minutes, english, arabic) => {
  expect(en.readingTime(minutes)).toBe(english);
  expect(ar.readingTime(minutes)).toBe(arabic);
});

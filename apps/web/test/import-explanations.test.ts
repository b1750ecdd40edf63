import type { ImportExplanationCode, ImportExplanations } from "@kb/core";
import { expect, it } from "vitest";
import { importExplanations } from "../src/messages/settings/ar/import-explanations.ts";
import { imports as ar } from "../src/messages/settings/ar/imports.ts";
import { imports as en } from "../src/messages/settings/en/imports.ts";

/** Values of every code, in which a text is recognized in a sentence. */
const values: ImportExplanations = {
  not_text: {},
  too_large: { limit: 800 },
  inline_image: { line: 7 },
  too_many_elements: { limit: 500_000 },
  html_too_deep: { limit: 512 },
  text_too_deep: { message: "Nested." },
  text_too_complex: { message: "Larger." },
  text_invalid: { message: "Wrong." },
  text_refused: { message: "Refused." },
  program_folder: {},
  link_leads_out: {},
  link_to_folder: {},
  link: {},
  unreadable: { cause: "permission" },
  no_file_name: {},
  encrypted: {},
  compression: {},
  archives_too_deep: { limit: 3 },
  inner_no_archive: {},
  same_name: {},
  folders_too_deep: { limit: 100 },
  impossible_name: {},
  damaged: {},
  title_cut: { limit: 255 },
  emoji_omitted: { emoji: "::" },
  tag_omitted: { tag: "my tag", message: "Must be short" },
  tags_omitted: { limit: 50, count: 60 },
  date_omitted: {},
  front_matter_invalid: { message: "Nested mappings" },
  rows_omitted: { limit: 50_000, count: 12 },
  led_out: { name: "../a.md" },
  name_shortened: { limit: 255 },
  file_too_large: { limit: 10 },
  file_unreadable: { cause: "disk" },
  file_refused: { message: "No such type." },
  no_archive: { name: "a.zip" },
  too_many_files: { name: "a.zip", limit: 5 },
  too_many_entries: { name: "a.zip", limit: 5 },
  too_many_folders: { name: "a.zip", limit: 5 },
  unpacks_to_too_much: { name: "a.zip", megabytes: 2_048 },
  unpacks_out_of_proportion: { name: "a.zip", limit: 200 },
  part_too_large: { name: "a.json", megabytes: 64 },
  memory: { name: "a.zip", megabytes: 128 },
  too_slow: {},
  crashed: {},
  file_gone: {},
  collection_gone: {},
  user_gone: {},
  quota: {},
  no_database: {},
  unexpected: {},
};
const codes: readonly string[] = Object.keys(importExplanations);
const isCode = (code: string): code is ImportExplanationCode => code in values;
const english = "An English sentence.";

it.each(codes.filter(isCode))(
  "an import says %s in Arabic, with its names and figures",
  {
    meta: { proves: ["decision.app.import-explained"] },
  },
  (code) => {
    const said = ar.explained(english, { code, values: values[code] });
    expect(said).toMatch(/[\u0600-\u06ff]/);
    expect(said).not.toContain(english);
    expect(said).not.toMatch(/undefined|NaN/);
    const { message: _, cause, ...shown } = { message: "", cause: "", ...values[code] };
    if (cause !== "") expect(said).not.toContain(cause);
    for (const value of Object.values(shown)) {
      expect(said).toContain(typeof value === "number" ? value.toLocaleString("ar-u-nu-latn") : value);
    }
  },
);

it("a sentence of an import before this release, or of a later one, is shown as the service says it", () => {
  expect(ar.explained(english, null)).toBe(english);
  expect(ar.explained(english, { code: "of_tomorrow", values: {} })).toBe(english);
  expect(en.explained(english, { code: "not_text", values: {} })).toBe(english);
});

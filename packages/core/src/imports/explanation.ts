import { z } from "zod";

type None = Readonly<Record<string, never>>;
type Limit = { readonly limit: number };
/** An archive, or a file of an export. */
type Named = { readonly name: string };
/** The sentence of a part of the service about a text, in English. */
type Message = { readonly message: string };

/** Why a file cannot be read. */
export type UnreadableCause =
  | "permission"
  | "missing"
  | "circle"
  | "is_folder"
  | "not_in_folder"
  | "name_too_long"
  | "disk"
  | "unknown";

/**
 * The values of each explanation of an import, by its code. A code keeps its values for good: stored results have them, and pages of
 * another release word them.
 */
export type ImportExplanations = {
  // Why a file is skipped.
  not_text: None;
  too_large: Limit;
  /** The line is 0 if it is not known. */
  inline_image: { readonly line: number };
  too_many_elements: Limit;
  html_too_deep: Limit;
  text_too_deep: Message;
  text_too_complex: Message;
  text_invalid: Message;
  text_refused: Message;
  program_folder: None;
  link_leads_out: None;
  link_to_folder: None;
  link: None;
  unreadable: { readonly cause: UnreadableCause };
  no_file_name: None;
  encrypted: None;
  compression: None;
  archives_too_deep: Limit;
  inner_no_archive: None;
  same_name: None;
  folders_too_deep: Limit;
  impossible_name: None;
  damaged: None;
  // Remarks about a file that is imported.
  title_cut: Limit;
  emoji_omitted: { readonly emoji: string };
  tag_omitted: Message & { readonly tag: string };
  tags_omitted: Limit & { readonly count: number };
  date_omitted: None;
  front_matter_invalid: Message;
  rows_omitted: Limit & { readonly count: number };
  led_out: Named;
  name_shortened: Limit;
  file_too_large: Limit;
  file_unreadable: { readonly cause: UnreadableCause };
  file_refused: Message;
  // Why an import fails.
  no_archive: Named;
  too_many_files: Named & Limit;
  too_many_entries: Named & Limit;
  too_many_folders: Named & Limit;
  unpacks_to_too_much: Named & { readonly megabytes: number };
  unpacks_out_of_proportion: Named & Limit;
  part_too_large: Named & { readonly megabytes: number };
  memory: Named & { readonly megabytes: number };
  too_slow: None;
  crashed: None;
  file_gone: None;
  collection_gone: None;
  user_gone: None;
  quota: None;
  no_database: None;
  unexpected: None;
};

/** The code of an explanation. */
export type ImportExplanationCode = keyof ImportExplanations;

/** A sentence about an import as a code with its values, so that each page can word it in the language of its reader. */
export type ImportExplanation = {
  readonly [Code in ImportExplanationCode]: { readonly code: Code; readonly values: ImportExplanations[Code] };
}[ImportExplanationCode];

/** An explanation as answers have it: null where only the English sentence is known, such as of an import before this release. */
export const Explanation = z
  .object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) })
  .nullable()
  .default(null)
  .meta({ id: "ImportExplanation" });

import type { ImportExplanation, ImportExplanationCode, ImportExplanations, UnreadableCause } from "@kb/core";

/** A sentence about an import in English, and the same as a code with its values, for pages in other languages. */
export type Explained = { readonly text: string; readonly explanation: ImportExplanation };

type Sentences = { readonly [Code in ImportExplanationCode]: (values: ImportExplanations[Code]) => string };

const figure = (number: number): string => number.toLocaleString("en");

const causes: Readonly<Record<UnreadableCause, string>> = {
  permission: "the permission is missing",
  missing: "it does not exist",
  circle: "its links lead in a circle",
  is_folder: "it is a folder",
  not_in_folder: "it is not in a folder",
  name_too_long: "its name is too long",
  disk: "the disk has an error",
  unknown: "the system did not say why",
};

const sentences: Sentences = {
  not_text: () => "not UTF-8 text",
  too_large: ({ limit }) => `too large: a document has at most ${figure(limit)} characters`,
  inline_image: ({ line }) =>
    `it shows an image as a data: URL${line === 0 ? "" : ` (line ${line})`}: save it as a file`,
  too_many_elements: ({ limit }) => `its HTML has more than ${figure(limit)} elements`,
  html_too_deep: ({ limit }) => `its HTML is nested more than ${limit} levels deep`,
  text_too_deep: ({ message }) => message,
  text_too_complex: ({ message }) => message,
  text_invalid: ({ message }) => message,
  text_refused: ({ message }) => message,
  program_folder: () => "a folder of installed programs",
  link_leads_out: () => "a symbolic link that leads out of the folder",
  link_to_folder: () => "a symbolic link to a folder",
  link: () => "a symbolic link",
  unreadable: ({ cause }) => `not readable: ${causes[cause]}`,
  no_file_name: () => "its name is no file name",
  encrypted: () => "it is encrypted",
  compression: () => "its compression is not supported",
  archives_too_deep: ({ limit }) => `archives are opened at most ${limit} levels deep`,
  inner_no_archive: () => "it is not a ZIP archive",
  same_name: () => "the archive has another file of this name, which is imported",
  folders_too_deep: ({ limit }) => `it is more than ${limit} folders deep`,
  impossible_name: () => "its name is not possible on this machine",
  damaged: () => "its data are damaged",
  title_cut: ({ limit }) => `the title was cut to ${limit} characters`,
  emoji_omitted: ({ emoji }) => `the emoji "${emoji}" was omitted because it is not one emoji`,
  tag_omitted: ({ tag, message }) => `the tag "${tag}" was omitted: ${message}`,
  tags_omitted: ({ limit, count }) => `only the first ${limit} of ${count} tags were kept`,
  date_omitted: () => "the date of its creation was omitted because it is in the future",
  front_matter_invalid: ({ message }) => `its front matter is not valid YAML (${message}) and stays in the text`,
  rows_omitted: ({ limit, count }) => `${figure(count)} rows were left out: a table has at most ${figure(limit)} cells`,
  led_out: ({ name }) => `unpacked here, because its name leads out of the archive: ${name}`,
  name_shortened: ({ limit }) => `unpacked under a shorter name, because file systems take at most ${limit} bytes`,
  file_too_large: ({ limit }) => `not attached: has more than ${figure(limit)} bytes`,
  file_unreadable: ({ cause }) => `not attached: ${causes[cause]}`,
  file_refused: ({ message }) => `not attached: ${message}`,
  no_archive: ({ name }) => `${name} is neither a folder nor a ZIP archive.`,
  too_many_files: ({ name, limit }) => `${name} has more than ${figure(limit)} files.`,
  too_many_entries: ({ name, limit }) => `${name} has more than ${figure(limit)} entries without content.`,
  too_many_folders: ({ name, limit }) => `${name} has more than ${figure(limit)} folders.`,
  unpacks_to_too_much: ({ name, megabytes }) => `${name} unpacks to more than ${megabytes.toFixed(1)} MB.`,
  unpacks_out_of_proportion: ({ name, limit }) =>
    `${name} unpacks to more than ${limit} times its size, as no export does.`,
  part_too_large: ({ name, megabytes }) => `${name} has more than ${megabytes} MB. Export less at once.`,
  memory: ({ name, megabytes }) =>
    `${name} needs more than the ${megabytes} MB of memory that an import may use here. Divide it into smaller files.`,
  too_slow: () => "The file takes too long to read. Divide it into smaller ones.",
  crashed: () => "The import ended unexpectedly several times. Divide its file into smaller ones.",
  file_gone: () => "The file is not there any more: begin a new import with it.",
  collection_gone: () => "The collection does not exist any more.",
  user_gone: () => "The user of this import may not write any more.",
  quota: () => "A quota is used up.",
  no_database: () => "The database did not respond. Continue the import when it does.",
  unexpected: () => "Something went wrong. Continue the import.",
};

/** Returns a sentence about an import with its code and values. */
export function explain<Code extends ImportExplanationCode>(code: Code, values: ImportExplanations[Code]): Explained {
  return { text: sentences[code](values), explanation: explanationOf(code, values) };
}

/** Pairs a code with its own values: the signature guarantees that they belong together. */
function explanationOf<Code extends ImportExplanationCode>(
  code: Code,
  values: ImportExplanations[Code],
): ImportExplanation {
  return { code, values } as ImportExplanation;
}

/** Returns why a file cannot be read, without what the system says: that names the folders of this machine. */
export function causeOf(error: unknown): UnreadableCause {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return causesByCode[code] ?? "unknown";
}

const causesByCode: Readonly<Record<string, UnreadableCause>> = {
  EACCES: "permission",
  EPERM: "permission",
  ENOENT: "missing",
  ELOOP: "circle",
  EISDIR: "is_folder",
  ENOTDIR: "not_in_folder",
  ENAMETOOLONG: "name_too_long",
  EIO: "disk",
};

/** A file that is not imported, and why. `code` is for scripts. */
export type Skipped = {
  readonly path: string;
  readonly code: string;
  readonly reason: string;
  readonly explanation: ImportExplanation;
};

/** Returns the entry of a file that is not imported. */
export const skippedFor = (path: string, code: string, { text, explanation }: Explained): Skipped => ({
  path,
  code,
  reason: text,
  explanation,
});

/** A remark about a file that is imported. */
export type Note = { readonly path: string; readonly message: string; readonly explanation: ImportExplanation };

/** Returns the remark about a file. */
export const noteOn = (path: string, { text, explanation }: Explained): Note => ({ path, message: text, explanation });

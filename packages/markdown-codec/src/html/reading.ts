import type { DocJSON, HtmlOptions } from "../types.ts";
import type { OwnHtml } from "./inline.ts";
import { pageHtml } from "./page.ts";

// Every tag: `toHtml` escapes all text, so that `<` and `>` stand nowhere else.
const TAGS = /<(\/?)([a-z0-9]+)([^<>]*)>/g;
const CONTAINERS: ReadonlySet<string> = new Set(["blockquote", "ul", "ol", "table", "div"]);
const TEXT_BLOCKS: ReadonlySet<string> = new Set(["p", "pre", "h1", "h2", "h3", "h4", "h5", "h6"]);
const LABEL_ENDS: ReadonlySet<string> = new Set([
  ...CONTAINERS,
  ...TEXT_BLOCKS,
  ..."hr li details aside dl figure nav section".split(" "),
]);
// A node of an integrator may have other attributes before these.
const EXTERNAL = /(?:^| )href="(?:https?:)?\/\//i;
const DIRECTED = /^(?: [^ "=]+="[^"]*")* dir="/;

/**
 * The document as HTML for a page that is read, as safe as `toHtml`. Beside its output:
 * - Every heading has an id.
 * - Blocks follow the direction of their own text (`dir="auto"`); within a list, a quote, a table or a footnote the container
 *   decides, because a browser passes over what has a direction of its own.
 * - Images are loaded when they come near the window.
 * - The box of a task has its place among all tasks, from 0, as `data-task`, and is labelled by its text.
 * - Tables are in a `<div class="table">`, which can scroll.
 * - Links with an origin have `rel="noreferrer"`.
 *
 * @throws CodecError as `toHtml`
 */
export function toReadingHtml(doc: DocJSON, options: Pick<HtmlOptions, "schemes" | "math"> = {}): string {
  return readingHtml(doc, options);
}

/** `toReadingHtml` with nodes and marks of an integrator. @throws CodecError as `toHtml` */
export function readingHtml(doc: DocJSON, options: Pick<HtmlOptions, "schemes" | "math">, own?: OwnHtml): string {
  const html = pageHtml(doc, { ...options, headingIds: true }, own);
  const labels = labelIds(html);
  let depth = 0;
  let isLabelOpen = false;
  return html.replace(TAGS, (tag, slash: string, name: string, attributes: string) => {
    const isContainer = CONTAINERS.has(name);
    // A label ends where its item does, or where the next block begins.
    const closing = isLabelOpen && LABEL_ENDS.has(name);
    if (closing) isLabelOpen = false;
    if (name === "input") isLabelOpen = true;
    const written = slash === "" ? openingTag(tag, name, attributes, depth, labels) : closingTag(tag, name);
    if (isContainer) depth += slash === "" ? 1 : -1;
    return closing ? `</span>${written}` : written;
  });
}

function openingTag(tag: string, name: string, attributes: string, depth: number, labels: Labels): string {
  const directed = DIRECTED.test(attributes) ? tag : `<${name}${attributes} dir="auto">`;
  if (name === "table") return `<div class="table">\n${directed}`;
  if (CONTAINERS.has(name) || (depth === 0 && TEXT_BLOCKS.has(name))) return directed;
  if (name === "img") return `<img${attributes.replace(/ ?\/$/, "")} loading="lazy" />`;
  if (name === "a" && EXTERNAL.test(attributes)) return `<a${attributes} rel="noreferrer">`;
  if (name !== "input") return tag;
  const { place, id } = labels.next().value;
  const label = ` data-task="${place}" aria-labelledby="${id}" />`;
  return `<input${attributes.replace(/ ?\/$/, "")}${label}<span id="${id}">`;
}

const closingTag = (tag: string, name: string): string => (name === "table" ? `${tag}\n</div>` : tag);

type Labels = Generator<{ readonly place: number; readonly id: string }, never>;

/** The places of tasks, each with an id that no other element of the page has. */
function* labelIds(html: string): Labels {
  const taken = new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
  for (let place = 0; ; place++) {
    let id = `task-${place}`;
    while (taken.has(id)) id += "-";
    yield { place, id };
  }
}

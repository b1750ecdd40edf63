import { type DocJSON, type MarkJSON, mapAddresses, type NodeJSON } from "markdown-codec";
import { picturesOf } from "./html/pictures.ts";
import type { Findings } from "./report.ts";
import { fragmentOf } from "./slug.ts";
import type { Target, Targets } from "./targets.ts";

/** Returns the URL of a page or file; undefined if it has none (yet), and then its address stays. */
export type UrlOfTarget = (target: Target) => string | undefined;

type Relinking = {
  readonly path: string;
  readonly targets: Targets;
  readonly urlOf: UrlOfTarget;
  readonly findings: Findings;
};

/**
 * Returns the document with URLs in place of the addresses of the source's pages and files, `[[pages]]` and
 * `![[files]]` included, and pictures in place of the HTML that shows only pictures. Reports what it does not find.
 */
export function relink(doc: DocJSON, relinking: Relinking): DocJSON {
  const content = mapBlocks(doc.content, relinking);
  return content === doc.content ? doc : { ...doc, content };
}

function mapBlocks(nodes: NodeJSON[], relinking: Relinking): NodeJSON[] {
  const mapped = nodes.flatMap((node) => mapNode(node, relinking));
  return mapped.length !== nodes.length || mapped.some((node, index) => node !== nodes[index]) ? mapped : nodes;
}

function mapNode(node: NodeJSON, relinking: Relinking): NodeJSON | NodeJSON[] {
  switch (node.type) {
    case "rawBlock":
      return mapRaw(node, relinking, (pictures) => [{ type: "paragraph", content: pictures }]);
    case "rawInline":
      return mapRaw(node, relinking, (pictures) => pictures);
    case "wikiLink":
      return mapWikiLink(node, relinking);
    default:
      return mapElement(node, relinking);
  }
}

function mapElement(node: NodeJSON, relinking: Relinking): NodeJSON {
  const src = node.type === "image" ? urlOfAddress(node.attrs?.src, "unresolved_picture", relinking) : undefined;
  const marks = node.marks?.map((mark) => mapMark(mark, relinking));
  const isSameMarks = marks === undefined || marks.every((mark, index) => mark === node.marks?.[index]);
  const content = node.content && mapBlocks(node.content, relinking);
  const title = node.type === "image" ? node.attrs?.title : undefined;
  // Outline writes the size of a picture as its title.
  const isSize = typeof title === "string" && /^\s*=\d*x\d*\s*$/.test(title);
  if (src === undefined && !isSize && isSameMarks && content === node.content) return node;
  const attrs = { ...node.attrs, ...(src === undefined ? {} : { src }), ...(isSize ? { title: null } : {}) };
  return {
    ...node,
    ...(node.attrs === undefined ? {} : { attrs }),
    ...(marks === undefined ? {} : { marks }),
    ...(content === undefined ? {} : { content }),
  };
}

function mapMark(mark: MarkJSON, relinking: Relinking): MarkJSON {
  if (mark.type !== "link") return mark;
  const href = urlOfAddress(mark.attrs?.href, "unresolved_link", relinking);
  return href === undefined ? mark : { ...mark, attrs: { ...mark.attrs, href } };
}

/** Returns the URL for an address; undefined keeps it. Reports an address of the source that leads nowhere. */
function urlOfAddress(
  address: unknown,
  kind: "unresolved_link" | "unresolved_picture",
  { path, targets, urlOf, findings }: Relinking,
): string | undefined {
  if (typeof address !== "string" || address === "" || address.startsWith("#")) return undefined;
  const target = targets.find(address, path);
  if (target !== null) {
    const url = urlOf(target);
    return url === undefined ? undefined : url + target.fragment;
  }
  if (!/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) findings.add(kind, path, address);
  return undefined;
}

function mapRaw(node: NodeJSON, relinking: Relinking, show: (pictures: NodeJSON[]) => NodeJSON[]): NodeJSON[] {
  const kind = String(node.attrs?.kind);
  const source = String(node.attrs?.source);
  const pictures = kind === "html" ? picturesOf(source) : null;
  if (pictures !== null) return show(pictures.map((picture) => mapElement(picture, relinking)));
  if (kind !== "comment" && kind !== "blockId") relinking.findings.add("raw_construct", relinking.path, source);
  const { content } = mapAddresses({ type: "doc", content: [node] }, (address) =>
    urlOfAddress(address, "unresolved_link", relinking),
  );
  return content;
}

const wikiLink = /^(!?)\[\[([^|]+)(?:\|(.+))?\]\]$/;

function mapWikiLink(node: NodeJSON, { path, targets, urlOf, findings }: Relinking): NodeJSON {
  const source = String(node.attrs?.source);
  const [, embedded = "", written = "", alias] = wikiLink.exec(source) ?? [];
  const [name = "", ...headings] = written.split("#");
  const heading = headings.at(-1) ?? "";
  const fragment = heading === "" || heading.startsWith("^") ? "" : fragmentOf(heading);
  const text = alias ?? [name, ...headings].filter((part) => part !== "").join(" > ");
  if (name.trim() === "") return linkNode(node, fragment === "" ? "#" : fragment, text);
  const found = targets.findByName(name.trim(), path);
  if (found === null) {
    findings.add(embedded === "" ? "unresolved_link" : "unresolved_picture", path, source);
    return node;
  }
  const url = urlOf({ ...found, fragment });
  if (url === undefined) return node;
  if (embedded !== "" && !found.isPage && isPicture(found.path)) {
    return { type: "image", attrs: { src: url, alt: altOf(alias, name), title: null }, ...marksOf(node) };
  }
  if (embedded !== "" && found.isPage) findings.add("embedded_page", path, source);
  return linkNode(node, found.isPage ? url + fragment : url, text);
}

/** Returns the description of a picture. In `![[a.png|300]]` the number is a width. */
const altOf = (alias: string | undefined, name: string): string =>
  alias === undefined || /^\d+(?:x\d+)?$/.test(alias) ? name : alias;

const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i.test(path);

const marksOf = (node: NodeJSON): Pick<NodeJSON, "marks"> => (node.marks === undefined ? {} : { marks: node.marks });

function linkNode(node: NodeJSON, href: string, text: string): NodeJSON {
  const link: MarkJSON = { type: "link", attrs: { href, title: null } };
  const others = (node.marks ?? []).filter((mark) => mark.type !== "link");
  return { type: "text", text, marks: [link, ...others] };
}

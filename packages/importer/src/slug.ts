import { toHtml } from "markdown-codec";

/** Returns the fragment by which pages of the service find a heading, such as `#first-steps`. */
export function fragmentOf(heading: string): string {
  const content = heading === "" ? [] : [{ type: "text", text: heading }];
  const page = toHtml(
    { type: "doc", content: [{ type: "heading", attrs: { level: 1, id: null }, content }] },
    { headingIds: true },
  );
  return `#${/ id="([^"]*)"/.exec(page)?.[1] ?? ""}`;
}

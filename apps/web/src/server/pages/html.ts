import { html, raw } from "hono/html";

/** HTML from the `html` template, which escapes every value. */
export type Html = ReturnType<typeof html>;

export { html };

/** Marks HTML that the codec's serializer wrote as safe: it escapes every text and every attribute of a document. */
export const documentHtml = (rendered: string): Html => raw(rendered);

/** Returns JSON for a `<script type="application/json">`: no text of it can end the element. */
export const jsonData = (value: unknown): Html => raw(JSON.stringify(value).replaceAll("<", "\\u003c"));

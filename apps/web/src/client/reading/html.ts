import { trustedPolicy } from "./trusted.ts";

const policy = trustedPolicy("kb-html", { createHTML: (html: string): string => html });

/** Parses HTML that the service rendered from a document. No other text becomes elements anywhere in the app. */
export function elementsOf(html: string): DocumentFragment {
  const template = document.createElement("template");
  // The codec's serializer wrote it; the policy lets nothing else through.
  template.innerHTML = policy.createHTML(html);
  return template.content;
}

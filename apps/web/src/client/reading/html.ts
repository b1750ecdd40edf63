/** Parses HTML that the service rendered from a document. No other text becomes elements anywhere in the app. */
export function elementsOf(html: string): DocumentFragment {
  const template = document.createElement("template");
  // The codec's serializer wrote it; the policy lets nothing else through.
  template.innerHTML = policy.createHTML(html);
  return template.content;
}

const unchanged = { createHTML: (html: string): string => html };
// Browsers without Trusted Types take the string.
const policy: { createHTML(html: string): string } = trustedFactory()?.createPolicy("kb-html", unchanged) ?? unchanged;

type TrustedFactory = { createPolicy(name: string, rules: typeof unchanged): { createHTML(html: string): string } };

function trustedFactory(): TrustedFactory | undefined {
  return (globalThis as { trustedTypes?: TrustedFactory }).trustedTypes;
}

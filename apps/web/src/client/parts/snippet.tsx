import type { ReactElement } from "react";

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The passage of a hit: escaped text with its matches in `<mark>`. It is read as text and split, never as HTML. */
export function Snippet({ html }: { readonly html: string }): ReactElement {
  const parts = html.split(/<mark>(.*?)<\/mark>/s);
  return (
    <>
      {parts.map((part, index) => {
        const text = part.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
        return index % 2 === 1 ? <mark key={index}>{text}</mark> : text;
      })}
    </>
  );
}

import type { Fetch } from "@kb/http";

/** An app of the whole, and the paths that are its own, each with everything below it. */
export type Part = { readonly paths: readonly string[]; readonly answer: Fetch };

/** Puts apps on one port as a proxy in front of them would: by the path. What is nobody's own goes to `rest`. */
export function compose(parts: readonly Part[], rest: Fetch): Fetch {
  const owns = ({ paths }: Part, path: string): boolean =>
    paths.some((own) => path === own || path.startsWith(`${own}/`));
  return (request, bindings) => {
    const { pathname } = new URL(request.url);
    const { answer = rest } = parts.find((part) => owns(part, pathname)) ?? {};
    return answer(request, bindings);
  };
}

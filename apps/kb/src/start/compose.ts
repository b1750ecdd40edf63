import type { Fetch } from "@kb/http";

/** An app and its paths, each with everything below it. */
export type Part = { readonly paths: readonly string[]; readonly answer: Fetch };

/** Combines apps on one port by path, as a proxy would: the first part that owns the path answers. All other paths go to `rest`. */
export function compose(parts: readonly Part[], rest: Fetch): Fetch {
  const owns = ({ paths }: Part, path: string): boolean =>
    paths.some((own) => path === own || path.startsWith(`${own}/`));
  return (request, bindings) => {
    const { pathname } = new URL(request.url);
    const { answer = rest } = parts.find((part) => owns(part, pathname)) ?? {};
    return answer(request, bindings);
  };
}

import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { boot } from "../app/boot.ts";

/** Returns whether the reader manages tags, and so knows which are restricted. */
export const managesTags = (): boolean => boot().app.user.capabilities.includes("tag.manage");

/** The tags that the reader knows; and, for those who manage tags, which of them are restricted. */
export const tagsQueries = {
  all: queryOptions({
    queryKey: ["tags.list"],
    queryFn: ({ signal }) => call("tags.list", {}, { signal }),
    staleTime: 30_000,
  }),
  restricted: queryOptions({
    queryKey: ["tags.listRestricted"],
    queryFn: async ({ signal }) =>
      managesTags() ? (await call("tags.listRestricted", { limit: 100 }, { signal })).data : [],
    staleTime: 30_000,
  }),
};

/** The key of the entry that creates a tag. */
export const createKey = "create";
const restrictedPrefix = "restricted ";
/** Returns whether an entry is a restricted tag. */
export const isRestrictedKey = (key: string): boolean => key.startsWith(restrictedPrefix);

type Choice = {
  readonly key: string;
  readonly name: string;
  readonly count?: number | undefined;
  readonly restrictedId?: string | undefined;
};

type Question = {
  readonly typed: string;
  readonly known: readonly {
    readonly id: string;
    readonly name: string;
    readonly documentCount?: number | undefined;
    readonly restricted?: true | undefined;
  }[];
  readonly hidden: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: { readonly names: readonly string[]; readonly restrictedIds: readonly string[] };
  readonly mostTags: number;
};

/** The most tags that are offered at once. */
const mostChoices = 50;

/** Returns the tags that can be added: those that contain what was typed, and a new one of that name. */
export function tagChoices({ typed, known, hidden, chosen, mostTags }: Question): Choice[] {
  const wanted = normalName(typed);
  const isRestricted = new Set(hidden.map(({ id }) => id));
  const isChosen = new Set(chosen.restrictedIds);
  const restricted = hidden
    .filter(({ id, name }) => !isChosen.has(id) && name.includes(wanted))
    .map(({ id, name }) => ({ key: `${restrictedPrefix}${id}`, name, restrictedId: id }));
  if (chosen.names.length >= mostTags) return restricted.slice(0, mostChoices);
  const open = known
    // A name would put an unrestricted tag on the document.
    .filter(({ id, restricted }) => restricted !== true && !isRestricted.has(id))
    .filter(({ id, name }) => !isChosen.has(id) && !chosen.names.includes(name))
    .filter(({ name }) => name.includes(wanted))
    .map(({ id, name, documentCount }) => ({ key: id, name, count: documentCount }));
  const isNew = wanted !== "" && !chosen.names.includes(wanted) && !known.some(({ name }) => name === wanted);
  const created = isNew ? [{ key: createKey, name: wanted }] : [];
  return [...[...open, ...restricted].slice(0, mostChoices), ...created];
}

/** Returns a name as the service keeps it: lower case, single spaces, no comma. */
function normalName(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(",", "").replaceAll(/\s+/g, " ").trim();
}

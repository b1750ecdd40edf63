import { type Agent, rowsOf } from "./agent.ts";
import { sameScript, type Task } from "./task.ts";
import { usualPage } from "./writing-tasks.ts";

const anchorOf = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")}`;

/** Reads all pages of a list, as an assistant had to without totals, trees and filters. */
async function readPages(
  agent: Agent,
  tool: string,
  input: object,
  list: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  let cursor: unknown;
  do {
    const { data } = await agent.call(tool, { ...input, ...(typeof cursor === "string" ? { cursor } : {}) });
    rows.push(...rowsOf(data[list]));
    cursor = data.nextCursor;
  } while (typeof cursor === "string");
  return rows;
}

/** Tasks that find and read. */
export const readingTasks: readonly Task[] = [
  sameScript("Find a page by its title", async ({ long }) => async (agent) => {
    const { data } = await agent.call("search", { query: long.title, limit: 5 });
    return rowsOf(data.results).some((row) => row.id === long.id);
  }),
  {
    name: "Read one section of the longest page",
    prepare: async ({ long: { id, heading } }) => {
      const script = async (agent: Agent): Promise<boolean> => {
        const { data } = await agent.call("get_document", { id, section: heading });
        return String(data.markdown).includes(heading);
      };
      return { before: script, after: script };
    },
  },
  {
    name: "Read a section by its anchor",
    prepare: async ({ long: { id, heading } }) => ({
      before: async (agent) => {
        const { error } = await agent.call("get_document", { id, section: anchorOf(heading) });
        if (error === null) return true;
        const { data } = await agent.call("get_document", { id, section: heading });
        return String(data.markdown).includes(heading);
      },
      after: async (agent) => {
        const { data } = await agent.call("get_document", { id, section: anchorOf(heading) });
        return String(data.markdown).includes(heading);
      },
    }),
  },
  {
    name: "Show the outline of the longest page",
    prepare: async ({ long: { id } }) => ({
      before: async (agent) => rowsOf((await agent.call("get_document", { id, maxChars: 1 })).data.headings).length > 5,
      after: async (agent) =>
        rowsOf((await agent.call("get_document", { id, outline: true })).data.headings).length > 5,
    }),
  },
  {
    name: "Read three documents",
    prepare: async ({ make }) => {
      const ids: string[] = [];
      for (const n of [1, 2, 3]) ids.push(await make({ title: `Read ${n}`, markdown: usualPage(`${n}`) }));
      return {
        before: async (agent) => {
          for (const id of ids) await agent.call("get_document", { id });
          return true;
        },
        after: async (agent) => rowsOf((await agent.call("get_document", { ids })).data.documents).length === 3,
      };
    },
  },
  {
    name: "List all pages that mention a term",
    prepare: async () => ({
      before: async (agent) =>
        (await readPages(agent, "search", { query: "prerender", limit: 50 }, "results")).length > 5,
      after: async (agent) =>
        (await readPages(agent, "search", { query: "prerender", limit: 50, snippets: false }, "results")).length > 5,
    }),
  },
  {
    name: "Say how many pages mention a term",
    prepare: async () => ({
      before: async (agent) =>
        (await readPages(agent, "search", { query: "component", limit: 50 }, "results")).length > 20,
      after: async (agent) =>
        Number((await agent.call("search", { query: "component", limit: 1, snippets: false })).data.total) > 20,
    }),
  },
  {
    name: "Search below one document",
    prepare: async ({ make }) => {
      const top = await make({ title: "Subtree", markdown: "top" });
      const id = await make({ title: "Leaf", markdown: "component of the subtree", parentDocumentId: top });
      return {
        before: async (agent) => {
          const below = new Set(
            rowsOf((await agent.call("list_documents", { parentDocumentId: top })).data.documents).map((row) => row.id),
          );
          const found = await readPages(agent, "search", { query: "component", limit: 50 }, "results");
          return found.some((row) => row.id === id && below.has(row.id));
        },
        after: async (agent) =>
          rowsOf((await agent.call("search", { query: "component", under: top })).data.results)[0]?.id === id,
      };
    },
  },
  {
    name: "Show the whole tree",
    prepare: async () => ({
      before: async (agent) => (await readPages(agent, "list_documents", { limit: 100 }, "documents")).length > 20,
      after: async (agent) =>
        String((await agent.call("list_documents", { tree: true })).data.tree).split("\n").length > 20,
    }),
  },
  {
    name: "Say who changed what in the last hour",
    prepare: async ({ make, change }) => {
      const since = new Date(Date.now() - 100).toISOString();
      const id = await make({ title: "Recent", markdown: "one" });
      await change(id, "two");
      return {
        // The author was in no answer.
        before: async () => "impossible",
        after: async (agent) => {
          const { data } = await agent.call("changes", { since });
          return rowsOf(data.changes).some((row) => row.id === id && row.updatedBy !== undefined);
        },
      };
    },
  },
  {
    name: "List what was changed since a day",
    prepare: async ({ make }) => {
      await make({ title: "Today", markdown: "one" });
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      return {
        before: async (agent) => {
          const { error } = await agent.call("list_documents", { updatedSince: day });
          if (error !== null) await agent.call("list_documents", { updatedSince: `${day}T00:00:00Z` });
          return true;
        },
        after: async (agent) => (await agent.call("list_documents", { updatedSince: day })).error === null,
      };
    },
  },
  {
    name: "List the trash",
    prepare: async ({ make, trash }) => {
      const id = await make({ title: "In the trash", markdown: "x" });
      await trash(id);
      return {
        before: async () => "impossible",
        after: async (agent) =>
          rowsOf((await agent.call("list_documents", { status: "trashed" })).data.documents).some(
            (row) => row.id === id,
          ),
      };
    },
  },
  {
    name: "List the pages that link to a page",
    prepare: async ({ make }) => {
      const target = await make({ title: "Target", markdown: "x" });
      const id = await make({ title: "Source", markdown: `See [it](/documents/${target}).` });
      return {
        before: async (agent) => {
          const { data } = await agent.call("search", { query: target });
          return rowsOf(data.results).some((row) => row.id === id) ? true : "impossible";
        },
        after: async (agent) =>
          rowsOf((await agent.call("list_documents", { linksTo: target })).data.documents)[0]?.id === id,
      };
    },
  },
  sameScript("Read a page whose address the user gave", async ({ make }) => {
    const id = await make({ title: "Address", markdown: "Here." });
    return async (agent) =>
      String(
        (await agent.call("get_document", { id: `https://kb.example.org/documents/${id}` })).data.markdown,
      ).includes("Here.");
  }),
  sameScript("List the pages with a tag", async ({ make }) => {
    const id = await make({ title: "Tagged", markdown: "x", tags: ["bench-tag"] });
    return async (agent) =>
      rowsOf((await agent.call("list_documents", { tag: "bench-tag" })).data.documents)[0]?.id === id;
  }),
  sameScript("Search for a phrase", async ({ make }) => {
    const id = await make({ title: "Phrase", markdown: "The violet elephant sleeps." });
    return async (agent) =>
      rowsOf((await agent.call("search", { query: '"violet elephant"' })).data.results)[0]?.id === id;
  }),
  sameScript(
    "List the collections that can be written",
    async () => async (agent) =>
      rowsOf((await agent.call("list_collections", {})).data.collections).some((row) => row.canWrite === true),
  ),
];

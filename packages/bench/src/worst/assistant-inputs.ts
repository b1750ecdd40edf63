import { chainedFootnotes, prose } from "./markdown.ts";
import { json, type Subjects, type WorstInput } from "./worst-input.ts";

const call = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });

const batchOf = (count: number, one: (id: number) => object) =>
  json(() => Array.from({ length: count }, (_, id) => one(id)));

/** Returns the worst requests for assistants, in the protocol revision with sessions and batches. */
export function assistantInputs(subjects: Subjects): WorstInput[] {
  const { largeDocumentId, footnotesId, overlappingId, rewrittenId, collectionId } = subjects;
  const mcp = (title: string, body: () => string): WorstInput => ({ operation: "mcp", title, body });
  const read = (id: number): object => call(id, "resources/read", { uri: `kb://documents/${largeDocumentId}` });
  const tool = (name: string, input: object, id = 1): object => call(id, "tools/call", { name, arguments: input });
  const get = (id: number): object => tool("get_document", { id: largeDocumentId, maxChars: 60_000 }, id);
  return [
    mcp("H: a batch of 100 reads of the longest text", batchOf(100, read)),
    mcp("H: a batch of 100 get_document", batchOf(100, get)),
    mcp(
      "a batch of 50,000 pings",
      batchOf(50_000, (id) => call(id, "ping", {})),
    ),
    mcp(
      "one read of the longest text",
      json(() => read(1)),
    ),
    mcp(
      "create_document: opening brackets",
      json(() => tool("create_document", { collectionId, markdown: "[".repeat(1_490_000) })),
    ),
    mcp(
      "update_document: the longest text",
      json(() => tool("update_document", { id: rewrittenId, markdown: prose(1_490_000), dryRun: true })),
    ),
    mcp(
      "update_document: 200 tags to add and 200 to remove",
      json(() => {
        const names = (first: string): string[] => Array.from({ length: 200 }, (_, n) => `${first}${n}`.padEnd(1_000));
        return tool("update_document", { id: largeDocumentId, addTags: names("a"), removeTags: names("b") });
      }),
    ),
    mcp(
      "append_to_document: the longest text",
      json(() => tool("append_to_document", { id: rewrittenId, markdown: prose(1_490_000), dryRun: true })),
    ),
    mcp(
      "replace_section: chained footnotes",
      json(() =>
        tool("replace_section", { id: footnotesId, heading: "H", markdown: chainedFootnotes(15_000), dryRun: true }),
      ),
    ),
    mcp(
      "replace_text: a pattern that overlaps itself",
      json(() => tool("replace_text", { id: overlappingId, oldText: "a".repeat(100_000), newText: "b" })),
    ),
    mcp(
      "search: 490 characters without a space",
      json(() => tool("search", { query: "東".repeat(490), limit: 50 })),
    ),
    mcp(
      "tools/call: 3 MB of nested lists",
      () =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${"[".repeat(1_500_000)}${"]".repeat(1_500_000)}}}}`,
    ),
    mcp(
      "tools/call: 300,000 unknown keys",
      json(() => tool("search", Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, 0])))),
    ),
    mcp(
      "an unknown method of 3.9 MB",
      json(() => call(1, "a".repeat(3_900_000), {})),
    ),
  ];
}

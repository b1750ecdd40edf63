import { threadMs } from "@kb/testing/growth";
import type { EditorView } from "prosemirror-view";
import { expect, it, vi } from "vitest";
import { pasting } from "../src/client/editor/paste.ts";
import { schema } from "../src/client/editor/schema.ts";
import { UploadStore } from "../src/client/editor/upload-store.ts";

vi.mock("markdown-codec", () => {
  throw new Error("Failed to fetch dynamically imported module");
});

/** Pastes text into an empty editor; `isMarkdown` says whether it goes through the codec. */
function paste(text: string) {
  const view = { state: { selection: { $from: schema.node("paragraph").resolve(0) } }, pasteText: vi.fn() };
  const event = {
    clipboardData: { types: ["text/plain"], getData: (type: string) => (type === "text/plain" ? text : "") },
  };
  const sayUnread = vi.fn();
  const plugin = pasting({
    documentId: "",
    uploads: new UploadStore(),
    editImage: () => undefined,
    sayMissing: () => undefined,
    sayUnread,
  });
  const handle = plugin.props.handlePaste?.bind(plugin) as unknown as (view: unknown, event: unknown) => boolean;
  const isMarkdown = handle(view as unknown as EditorView, event);
  return { isMarkdown, sayUnread, pasteText: view.pasteText };
}

it.each(["[".repeat(1_000_000), "[a](b".repeat(200_000)])(
  "looks for Markdown in a megabyte at once: %.10s…",
  (text) => {
    const before = threadMs();
    expect(paste(text).isMarkdown).toBe(false);
    expect(threadMs() - before).toBeLessThan(2_000);
  },
);

it.each(["See [the plan](https://example.org/a_(b)) first", "[![Chart](a.png)](b)", "[[x](y)", "# Plan", "a **b** c"])(
  "takes %s for Markdown",
  (text) => expect(paste(text).isMarkdown).toBe(true),
);

it("says that the codec could not be loaded, and pastes the text as it is", async () => {
  const { isMarkdown, sayUnread, pasteText } = paste("# Plan");
  expect(isMarkdown).toBe(true);
  await vi.waitFor(() => expect(sayUnread).toHaveBeenCalledOnce());
  expect(pasteText).toHaveBeenCalledExactlyOnceWith("# Plan");
});

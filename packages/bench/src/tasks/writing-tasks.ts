import { rowsOf } from "./agent.ts";
import { sameScript, type Task } from "./task.ts";

/** A page of a realistic length, of which a task changes one line. */
export const usualPage = (line: string): string =>
  `# Notes\n\n${"The team met and wrote down what it decided, with the reasons. ".repeat(60)}\n\n## Plan\n\n${line}\n\n## Ops log\n\n- Started the service\n\n${"More of the notes that nobody changes today. ".repeat(40)}\n`;

/** Tasks that change what a document says, fix mistakes, or bring something back. */
export const writingTasks: readonly Task[] = [
  {
    name: "Undo a mistaken overwrite",
    prepare: async ({ make, change, read }) => {
      const id = await make({ title: "Undo", markdown: usualPage("Keep me.") });
      await change(id, "overwritten");
      return {
        before: async () => "impossible",
        after: async (agent) => {
          const { data } = await agent.call("document_history", { id });
          const revision = rowsOf(data.revisions).at(1)?.revision;
          await agent.call("restore_revision", { id, revision });
          return (await read(id)).markdown.includes("Keep me.");
        },
      };
    },
  },
  {
    name: "Say what the last change changed",
    prepare: async ({ make, change }) => {
      const id = await make({ title: "Changed", markdown: usualPage("Once.") });
      const since = new Date().toISOString();
      await change(id, usualPage("Twice."));
      return {
        before: async () => "impossible",
        after: async (agent) => {
          const { data } = await agent.call("changes", {
            since,
            diff: true,
          });
          return rowsOf(data.changes).some((row) => row.id === id);
        },
      };
    },
  },
  editOf(
    "Fix the target of a link",
    "See [the guide](https://example.org/old).",
    "https://example.org/old",
    "https://example.org/new",
  ),
  editOf("Tick a task", "- [ ] Ship the release", "- [ ] Ship the release", "- [x] Ship the release"),
  editOf(
    "Change a row of a table",
    "| Name | Port |\n| --- | --- |\n| api | 3000 |",
    "| api | 3000 |",
    "| api | 3001 |",
  ),
  {
    name: "Correct three words in one document",
    prepare: async ({ make, read }) => {
      const id = await make({ title: "Three", markdown: usualPage("alpha one, beta two, gamma three") });
      const edits = ["alpha one", "beta two", "gamma three"].map((oldText) => ({
        oldText,
        newText: oldText.toUpperCase(),
      }));
      const isDone = async (): Promise<boolean> => (await read(id)).markdown.includes("GAMMA THREE");
      return {
        before: async (agent) => {
          for (const edit of edits) await agent.call("replace_text", { id, ...edit });
          return isDone();
        },
        after: async (agent) => {
          await agent.call("replace_text", { id, edits });
          return isDone();
        },
      };
    },
  },
  sameScript("Correct a word", async ({ make, read }) => {
    const id = await make({ title: "Word", markdown: usualPage("a mispelt word") });
    return async (agent) => {
      await agent.call("replace_text", { id, oldText: "mispelt", newText: "misspelt" });
      return (await read(id)).markdown.includes("misspelt");
    };
  }),
  sameScript("Append a line", async ({ make, read }) => {
    const id = await make({ title: "Append", markdown: usualPage("x") });
    return async (agent) => {
      await agent.call("append_to_document", { id, markdown: "The last line." });
      return (await read(id)).markdown.trimEnd().endsWith("The last line.");
    };
  }),
  sameScript("Put a note at the top", async ({ make, read }) => {
    const id = await make({ title: "Prepend", markdown: usualPage("x") });
    return async (agent) => {
      await agent.call("prepend_to_document", { id, markdown: "> Outdated." });
      return (await read(id)).markdown.startsWith("> Outdated.");
    };
  }),
  {
    name: "Add to the log under `## Ops log`",
    prepare: async ({ make, read }) => {
      const id = await make({ title: "Log", markdown: usualPage("x") });
      const isDone = async (): Promise<boolean> => (await read(id)).markdown.includes("Stopped the service");
      const markdown = "- Stopped the service";
      return {
        before: async (agent) => {
          const { error } = await agent.call("insert_after_heading", { id, heading: "## Ops log", markdown });
          if (error !== null) await agent.call("insert_after_heading", { id, heading: "Ops log", markdown });
          return isDone();
        },
        after: async (agent) => {
          await agent.call("insert_after_heading", { id, heading: "## Ops log", markdown });
          return isDone();
        },
      };
    },
  },
  sameScript("Replace a section", async ({ make, read }) => {
    const id = await make({ title: "Section", markdown: usualPage("The old plan.") });
    return async (agent) => {
      await agent.call("replace_section", { id, heading: "Plan", markdown: "The new plan." });
      return (await read(id)).markdown.includes("The new plan.");
    };
  }),
  sameScript("Show what a change would do, without it", async ({ make, read }) => {
    const id = await make({ title: "Dry run", markdown: usualPage("The old plan.") });
    return async (agent) => {
      const { data } = await agent.call("replace_section", { id, heading: "Plan", markdown: "New.", dryRun: true });
      return String(data.diff).includes("New.") && (await read(id)).markdown.includes("The old plan.");
    };
  }),
];

function editOf(name: string, line: string, oldText: string, newText: string): Task {
  return {
    name,
    prepare: async ({ make, read }) => {
      const id = await make({ title: name, markdown: usualPage(line) });
      const isDone = async (): Promise<boolean> => (await read(id)).markdown.includes(newText);
      return {
        // `replace_text` knew only the plain text, so the whole body was read and written.
        before: async (agent) => {
          const { data } = await agent.call("get_document", { id });
          const markdown = String(data.markdown).replace(oldText, newText);
          await agent.call("update_document", { id, markdown, expectedRevision: data.revision });
          return isDone();
        },
        after: async (agent) => {
          await agent.call("replace_text", { id, oldText, newText });
          return isDone();
        },
      };
    },
  };
}

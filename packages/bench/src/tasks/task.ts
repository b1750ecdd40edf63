import type { Agent, Cost } from "./agent.ts";

/** The knowledge base in which tasks are done. */
export type TaskWorld = {
  readonly collectionName: string;
  readonly collectionId: string;
  /** The longest real document, and one of its sections in the middle. */
  readonly long: { readonly id: string; readonly title: string; readonly heading: string };
  /** Creates a document that only one task uses. */
  make(input: { title: string; markdown: string; tags?: string[]; parentDocumentId?: string }): Promise<string>;
  /** Changes the text as another person does. */
  change(id: string, markdown: string): Promise<void>;
  trash(id: string): Promise<void>;
  /** Returns the Markdown, the title, the tags and the place as they are stored. */
  read(id: string): Promise<StoredDocument>;
};

/** A document as the service has it. */
export type StoredDocument = {
  readonly title: string;
  readonly markdown: string;
  readonly tags: readonly string[];
  readonly parentDocumentId: string | null;
  readonly collectionId: string;
  readonly deleted: boolean;
};

/** What an assistant does for a task. Returns whether the task is done; `impossible` if no tool does it. */
type Script = (agent: Agent) => Promise<boolean | "impossible">;

/** A task of a user: the set-up, which costs nothing, and the scripts of a sensible assistant with the tools of then and of now. */
export type Task = {
  readonly name: string;
  readonly prepare: (world: TaskWorld) => Promise<{ readonly before: Script; readonly after: Script }>;
};

/** Returns a task that has the same script with both sets of tools. */
export const sameScript = (name: string, prepare: (world: TaskWorld) => Promise<Script>): Task => ({
  name,
  prepare: async (world) => {
    const script = await prepare(world);
    return { before: script, after: script };
  },
});

/** What a task came to. */
export type TaskResult = Cost & { readonly name: string; readonly outcome: "done" | "not done" | "impossible" };

import { type Agent, rowsOf } from "./agent.ts";
import { sameScript, type Task } from "./task.ts";
import { usualPage } from "./writing-tasks.ts";

/** Finds the id of a collection by its name, which the tools did not accept. */
async function collectionIdOf(agent: Agent, name: string): Promise<unknown> {
  const { data } = await agent.call("list_collections", {});
  return rowsOf(data.collections).find((row) => row.name === name)?.id;
}

/** Tasks that put documents in order, or files into them. */
export const organizingTasks: readonly Task[] = [
  tagTask("Add one tag", { tags: ["one"], change: { addTags: ["two"] }, expected: ["one", "two"] }),
  tagTask("Remove one tag", { tags: ["one", "two"], change: { removeTags: ["one"] }, expected: ["two"] }),
  {
    name: "Restore a deleted page by its title",
    prepare: async ({ make, trash, read }) => {
      const id = await make({ title: "Deleted by mistake", markdown: "x" });
      await trash(id);
      return {
        before: async () => "impossible",
        after: async (agent) => {
          const { data } = await agent.call("list_documents", { status: "trashed" });
          const found = rowsOf(data.documents).find((row) => row.title === "Deleted by mistake")?.id;
          await agent.call("restore_document", { id: found });
          return !(await read(id)).deleted;
        },
      };
    },
  },
  sameScript("Restore a page that was just deleted", async ({ make, trash, read }) => {
    const id = await make({ title: "Known", markdown: "x" });
    await trash(id);
    return async (agent) => {
      await agent.call("restore_document", { id });
      return !(await read(id)).deleted;
    };
  }),
  {
    name: "Create a page in a collection by its name",
    prepare: async ({ collectionName }) => {
      const page = { title: "By name", markdown: "x", publish: true };
      return {
        before: async (agent) => {
          const collectionId = await collectionIdOf(agent, collectionName);
          return (await agent.call("create_document", { collectionId, ...page })).error === null;
        },
        after: async (agent) =>
          (await agent.call("create_document", { collection: collectionName, ...page })).error === null,
      };
    },
  },
  {
    name: "Move a page to a collection by its name",
    prepare: async ({ make, read }) => {
      const id = await make({ title: "Moved", markdown: "x" });
      const from = (await read(id)).collectionId;
      const isDone = async (): Promise<boolean> => (await read(id)).collectionId !== from;
      return {
        before: async (agent) => {
          await agent.call("update_document", { id, collectionId: await collectionIdOf(agent, "Archive of the team") });
          return isDone();
        },
        after: async (agent) => {
          await agent.call("update_document", { id, collection: "Archive of the team" });
          return isDone();
        },
      };
    },
  },
  sameScript("Move a page below another", async ({ make, read }) => {
    const parentDocumentId = await make({ title: "Parent", markdown: "x" });
    const id = await make({ title: "Child", markdown: "x" });
    return async (agent) => {
      await agent.call("update_document", { id, parentDocumentId });
      return (await read(id)).parentDocumentId === parentDocumentId;
    };
  }),
  sameScript("Move a page to the top of its collection", async ({ make, read }) => {
    const parentDocumentId = await make({ title: "Above", markdown: "x" });
    const id = await make({ title: "Below", markdown: "x", parentDocumentId });
    return async (agent) => {
      await agent.call("update_document", { id, parentDocumentId: null });
      return (await read(id)).parentDocumentId === null;
    };
  }),
  sameScript("Unpublish a page", async ({ make }) => {
    const id = await make({ title: "Published", markdown: "x" });
    return async (agent) => (await agent.call("update_document", { id, published: false })).error === null;
  }),
  sameScript("Rename a page", async ({ make, read }) => {
    const id = await make({ title: "Old name", markdown: usualPage("x") });
    return async (agent) => {
      await agent.call("update_document", { id, title: "New name" });
      return (await read(id)).title === "New name";
    };
  }),
  sameScript("Delete a page after asking", async ({ make, read }) => {
    const id = await make({ title: "To delete", markdown: "x" });
    return async (agent) => {
      await agent.call("delete_document", { id });
      await agent.call("delete_document", { id, confirm: true });
      return (await read(id)).deleted;
    };
  }),
  sameScript("Get an address to upload a picture to", async () => async (agent) => {
    const { data } = await agent.call("upload_image", { name: "a.png", contentType: "image/png" });
    return typeof data.uploadUrl === "string";
  }),
  {
    name: "Attach a PDF",
    prepare: async ({ make }) => {
      const documentId = await make({ title: "With a file", markdown: "x" });
      return {
        before: async () => "impossible",
        after: async (agent) => {
          const { data } = await agent.call("upload_file", {
            documentId,
            name: "a.pdf",
            contentType: "application/pdf",
          });
          return typeof data.uploadUrl === "string";
        },
      };
    },
  },
];

type TagChange = { readonly tags: string[]; readonly change: object; readonly expected: string[] };

function tagTask(name: string, { tags, change, expected }: TagChange): Task {
  return {
    name,
    prepare: async ({ make, read }) => {
      const id = await make({ title: name, markdown: usualPage("x"), tags });
      const isDone = async (): Promise<boolean> => (await read(id)).tags.toSorted().join() === expected.join();
      return {
        // All tags were replaced, so they had to be read first; a read brought the text.
        before: async (agent) => {
          await agent.call("get_document", { id });
          await agent.call("update_document", { id, tags: expected });
          return isDone();
        },
        after: async (agent) => {
          await agent.call("update_document", { id, ...change });
          return isDone();
        },
      };
    },
  };
}

import { casesInApp } from "./cases-in-app.ts";
import type { Case } from "./scene.ts";

const published: Case = async (scene) => ({ id: await scene.document() });
const webhook: Case = async (scene) => ({ id: (await scene.webhook()).id });
const collection: Case = (scene) => ({ id: scene.collectionId });

/** A PNG of one pixel. */
const dot = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** The input of each operation of the matrix, with its subject in the state that it needs. */
export const cases: Readonly<Record<string, Case>> = {
  "me.get": () => ({}),

  "documents.list": () => ({}),
  "documents.search": () => ({ query: "subject" }),
  "documents.get": published,
  "documents.create": (scene) => ({ collectionId: scene.collectionId, title: "By the matrix" }),
  "documents.update": async (scene) => ({ id: await scene.document(), title: "By the matrix" }),
  "documents.edit": async (scene) => ({ id: await scene.document(), op: "append", markdown: "By the matrix" }),
  "documents.delete": published,
  "documents.restore": async (scene) => ({ id: await scene.document("trashed") }),
  "documents.archive": published,
  "documents.unarchive": async (scene) => ({ id: await scene.document("archived") }),
  "documents.revisions.list": published,
  "documents.revisions.get": async (scene) => ({ id: await scene.document(), revision: 1 }),
  "documents.revisions.restore": async (scene) => ({ id: await scene.document(), revision: 1 }),

  "collections.list": () => ({}),
  "collections.get": collection,
  "collections.export": collection,
  "collections.create": () => ({ name: "By the matrix" }),
  "collections.update": (scene) => ({ id: scene.collectionId, description: "By the matrix" }),
  "collections.archive": async (scene) => {
    await scene.archiveCollection(false);
    return { id: scene.collectionId };
  },
  "collections.unarchive": async (scene) => {
    await scene.archiveCollection(true);
    return { id: scene.collectionId };
  },

  "tags.list": () => ({}),
  "tags.create": () => ({ name: "by the matrix" }),

  "webhooks.list": () => ({}),
  "webhooks.manage": () => ({}),
  "webhooks.create": () => ({ url: "https://hooks.example.com/matrix", events: ["document.*"] }),
  "webhooks.info": webhook,
  "webhooks.update": async (scene) => ({ ...(await webhook(scene)), enabled: false }),
  "webhooks.delete": webhook,
  "webhooks.rotateSecret": webhook,
  "webhooks.test": webhook,
  "webhooks.deliveries": webhook,
  "webhooks.redeliver": async (scene) => ({ id: (await scene.webhook()).deliveryId }),

  "attachments.upload": () => ({ name: "dot.png", contentType: "image/png", size: dot.length }),
  "attachments.attach": () => ({ name: "dot.png", bytes: dot }),

  "auditLog.list": () => ({}),

  "published.list": ({ channelId }) => ({ channelId }),
  "published.get": async (scene) => ({ channelId: scene.channelId, id: await scene.document() }),

  "assistants.search": () => ({ query: "subject" }),
  "assistants.collections": () => ({}),
  "assistants.documents": () => ({}),
  "assistants.document": published,
  "assistants.update": async (scene) => ({ id: await scene.document(), title: "By the matrix" }),
  "assistants.delete": published,

  ...casesInApp,
};

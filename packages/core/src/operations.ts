import { attachBytes } from "./attachments/attach.ts";
import { uploadAttachment } from "./attachments/upload.ts";
import { archiveCollection, unarchiveCollection } from "./collections/archive.ts";
import { createCollection } from "./collections/create.ts";
import { getCollection, listCollections } from "./collections/read.ts";
import { updateCollection } from "./collections/update.ts";
import { archiveDocument, unarchiveDocument } from "./documents/archive.ts";
import { createDocument } from "./documents/create.ts";
import { deleteDocument } from "./documents/delete.ts";
import { editDocument } from "./documents/edit.ts";
import { getDocument } from "./documents/get.ts";
import { listDocuments } from "./documents/list.ts";
import { restoreDocument } from "./documents/restore.ts";
import { getRevision, listRevisions, restoreRevision } from "./documents/revisions.ts";
import { updateDocument } from "./documents/update.ts";
import { getMe } from "./me.ts";
import { searchDocuments } from "./search/index.ts";
import { createTag } from "./tags/create.ts";
import { listTags } from "./tags/list.ts";

export {
  listDeliveries,
  redeliver,
  testWebhook,
} from "./webhooks/deliveries.ts";
export { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from "./webhooks/manage.ts";
export { getWebhook, listWebhooks, listWebhooksInApp } from "./webhooks/read.ts";
/** The registry: every verb that an edge may offer. The access matrix walks it. */
export {
  archiveCollection,
  archiveDocument,
  attachBytes,
  createCollection,
  createDocument,
  createTag,
  deleteDocument,
  editDocument,
  getCollection,
  getDocument,
  getMe,
  getRevision,
  listCollections,
  listDocuments,
  listRevisions,
  listTags,
  restoreDocument,
  restoreRevision,
  searchDocuments,
  unarchiveCollection,
  unarchiveDocument,
  updateCollection,
  updateDocument,
  uploadAttachment,
};

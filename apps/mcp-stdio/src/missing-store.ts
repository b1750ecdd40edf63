import { invalid } from "@kb/core";
import type { FileStore } from "@kb/storage";

const refuse = (): never => {
  throw invalid(
    "dataBase64",
    "This server has no storage for files. Leave out dataBase64 and url, and send the file to the uploadUrl, or set KB_DATA_DIR or S3_BUCKET",
  );
};

/** Stands in for the file store of a process without one. Refuses uploads with an alternative. */
export const missingStore: FileStore = {
  put: async () => refuse(),
  get: async () => null,
  removeBelow: async () => {},
};

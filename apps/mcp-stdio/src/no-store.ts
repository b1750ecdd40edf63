import { invalid } from "@kb/core";
import type { FileStore } from "@kb/storage";

const nowhere = (): never => {
  throw invalid(
    "dataBase64",
    "This server has no place for files: leave dataBase64 and url out, and send the file to the uploadUrl (or set KB_DATA_DIR or S3_BUCKET)",
  );
};

/** For a process that was not told where the service keeps its files: it says what to do instead. */
export const noStore: FileStore = {
  put: async () => nowhere(),
  get: async () => null,
  removeBelow: async () => {},
};

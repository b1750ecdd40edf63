export { folderStore } from "./folder.ts";
export { type S3Options, s3Store } from "./s3.ts";
export { openFiles, requireKeyPair, type StorageSettings, StorageVariables, storageSettingsOf } from "./settings.ts";
export type { ByteRange, FileStore } from "./store.ts";
export { syncFolder } from "./sync-folder.ts";
export { type WatchedStore, watchSpace } from "./watch-space.ts";

export { type Bucket, type BucketFile, openBucket } from "./bucket.ts";
export { folderStore } from "./folder.ts";
export { makeFolder } from "./make-folder.ts";
export { s3Store } from "./s3.ts";
export { iterate, rememberFailure, type S3Options } from "./s3-connection.ts";
export { openFiles, requireKeyPair, type StorageSettings, StorageVariables, storageSettingsOf } from "./settings.ts";
export type { ByteRange, FileStore } from "./store.ts";
export { syncFolder } from "./sync-folder.ts";
export { type WatchedStore, watchSpace } from "./watch-space.ts";

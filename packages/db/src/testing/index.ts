export { freePort } from "../cluster/free-port.ts";
export { type TestDatabase, testDatabase } from "./database.ts";
export { testCluster } from "./test-cluster.ts";

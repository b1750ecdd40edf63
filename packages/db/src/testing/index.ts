export { textOptions } from "../cluster/initialize.ts";
export { type TestDatabase, testDatabase } from "./database.ts";
export { freePort } from "./free-port.ts";
export { postgresMsOf } from "./postgres-ms.ts";
export { type ReplicatedCluster, startReplicatedCluster } from "./replicated-cluster.ts";
export { testCluster } from "./test-cluster.ts";

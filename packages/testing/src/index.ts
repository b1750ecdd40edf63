export { type TestClock, testClock } from "./clock.ts";
export { type TestDatabase, testDatabase } from "./database.ts";
export { type FaultProxy, faultProxy } from "./fault-proxy.ts";

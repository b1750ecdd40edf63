export { type TestClock, testClock } from "./clock.ts";
export { type CollectedSpan, type Collector, startCollector } from "./collector.ts";
export { type FaultProxy, faultProxy } from "./fault-proxy.ts";
export { fewestOf } from "./fewest-of.ts";
export { readScrape, type Scrape } from "./prometheus-text.ts";

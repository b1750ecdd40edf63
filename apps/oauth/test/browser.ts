export { type Page, type TestBrowser, testBrowser } from "@kb/testing/browser";

import { restoreNativeClasses } from "@kb/testing/native-classes";
import { expect, it } from "vitest";
import { requestListener } from "./serve.ts";

/** The server's classes inherit from the native ones. */
const areNative = () => [Request, Response].every((known) => Object.getPrototypeOf(known) === Function.prototype);

it("a test file has the native classes of requests and answers, even after one whose server has replaced them", () => {
  expect(areNative()).toBe(true);
  const native = Object.getOwnPropertyDescriptors(globalThis);
  requestListener(() => new Response(), "127.0.0.1");
  expect(areNative()).toBe(false);
  restoreNativeClasses();
  expect(areNative()).toBe(true);
  expect(Object.getOwnPropertyDescriptors(globalThis)).toMatchObject({
    Request: native.Request,
    Response: native.Response,
  });
});

import { expect, it } from "vitest";
import { readAddresses } from "../src/client/screens/settings/read-addresses.ts";

it("addresses are read once each from lines, lists and the form with a name, and nothing is dropped", () => {
  expect(readAddresses("a@x.org b@x.org,c@x.org;\r\n Ada B. <d@x.org> \n\n a@x.org")).toEqual([
    "a@x.org",
    "b@x.org",
    "c@x.org",
    "d@x.org",
  ]);
  expect(readAddresses("Ada d@x.org <")).toEqual(["Ada", "d@x.org", "<"]);
  expect(readAddresses(" \n,; ")).toEqual([]);
});

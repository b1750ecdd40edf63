import spec from "commonmark-spec";
import { differences } from "./commonmark-differences.ts";
import { testSpecification } from "./specification.ts";

const examples = spec.tests.map(({ markdown, html, number }) => ({
  markdown: markdown.replaceAll("→", "\t"),
  html: html.replaceAll("→", "\t"),
  number,
}));

testSpecification("CommonMark 0.31.2", 652, examples, differences);

import { expect, it } from "vitest";
import { languageChoices } from "../src/client/editor/language-choices.ts";

const words = { plain: "Plain text", use: (name: string) => `Use ${name}` };
const infosFor = (before: string, typed: string): readonly string[] =>
  languageChoices(before, typed, words).map(({ info }) => info);

it("the language of the code is the first choice before anything is typed, as it is written", () => {
  expect(infosFor("", "").slice(0, 3)).toEqual(["", "bash", "c"]);
  expect(infosFor("ts", "ts").slice(0, 3)).toEqual(["ts", "", "bash"]);
  expect(infosFor("mermaid", "mermaid").slice(0, 3)).toEqual(["mermaid", "", "bash"]);
  expect(infosFor("{r, echo=F}", "{r, echo=F}")[0]).toBe("{r, echo=F}");
  expect(infosFor("js {1,3}", "js {1,3}")).toHaveLength(19);
});

it("a language is found by its name, its short names and other words, and the one that is meant comes first", () => {
  expect(infosFor("", "js").slice(0, 2)).toEqual(["javascript", "json"]);
  expect(infosFor("", "C#")[0]).toBe("csharp");
  expect(infosFor("", "java").slice(0, 2)).toEqual(["java", "javascript"]);
  expect(infosFor("", "html")[0]).toBe("xml");
  expect(infosFor("", "plain")[0]).toBe("");
});

it("another word is a choice too, and the only one where no language has it", () => {
  expect(languageChoices("", " mermaid\u0000 x ", words)).toEqual([{ info: "mermaid x", label: "Use mermaid x" }]);
  expect(infosFor("", "type")).toEqual(["typescript", "type"]);
  expect(infosFor("", "go")).toEqual(["go"]);
});

it("a known language keeps what the line says behind it, and plain text does not", () => {
  expect(infosFor("js {1,3}", "python")).toEqual(["python {1,3}", "python"]);
  expect(infosFor("js {1,3}", "script")).toEqual(["script"]);
  expect(infosFor("js {1,3}", "javas")).toEqual(["js {1,3}", "javas"]);
  expect(infosFor("js {1,3}", "plain")[0]).toBe("");
  expect(infosFor("mermaid {x}", "go")).toEqual(["go"]);
});

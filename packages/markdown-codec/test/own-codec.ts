import { type Codec, createCodec } from "../src/create-codec.ts";
import { html } from "../src/with-html.ts";

/** A codec with an integrator's nodes and marks: one of every form, and two marks. */
export const ownCodec: Codec = createCodec({
  nodes: [
    {
      name: "figure",
      spec: { content: "block+", attrs: { caption: { default: null, validate: "string|null" } } },
      markdown: {
        directive: "figure",
        read: (label) => ({ caption: label }),
        write: ({ caption }) => (typeof caption === "string" ? caption : null),
      },
      html: ({ caption }) => ({
        tag: "figure",
        children: [0, ...(typeof caption === "string" ? [{ tag: "figcaption", children: [caption] }] : [])],
      }),
      text: ({ caption }) => String(caption ?? ""),
      examples: [{ caption: null }, { caption: "A *map* | of & <Rome>" }],
    },
    {
      name: "columns",
      spec: { content: "paragraph paragraph", attrs: {} },
      markdown: { directive: "columns", read: (label) => (label === null ? {} : undefined), write: () => null },
      html: () => ({ tag: "div", attrs: { class: "columns" }, children: [0] }),
    },
    {
      name: "date",
      spec: { attrs: { day: { validate: "string" } } },
      markdown: {
        open: "{{",
        close: "}}",
        read: (body) => (/^\d{4}-\d\d-\d\d$/.test(body.trim()) ? { day: body.trim() } : undefined),
        write: ({ day }) => String(day),
      },
      html: ({ day }) => ({ tag: "time", attrs: { datetime: String(day) }, children: [String(day)] }),
      text: ({ day }) => String(day),
      examples: [{ day: "2026-11-23" }, { day: "1999-01-01" }],
    },
    {
      name: "note",
      spec: { attrs: { text: { validate: "string" } } },
      markdown: { open: "(?", close: ")", read: (body) => ({ text: body }), write: ({ text }) => String(text) },
      html: ({ text }) => ({ tag: "abbr", attrs: { title: String(text) }, children: ["?"] }),
      text: ({ text }) => String(text),
      examples: [{ text: "a" }, { text: "" }, { text: "*b* [c](d | `" }, { text: "%% {{ $x$ a" }],
    },
    {
      name: "embed",
      spec: { attrs: { address: { validate: "string" } } },
      markdown: {
        line: "@@ ",
        read: (rest) => (/^https:\/\/\S+$/.test(rest) ? { address: rest } : undefined),
        write: ({ address }) => String(address),
      },
      html: ({ address }) => ({
        tag: "p",
        children: [{ tag: "a", attrs: { href: String(address) }, children: [String(address)] }],
      }),
      text: ({ address }) => String(address),
      examples: [{ address: "https://example.org/a_b?c=d" }],
    },
    {
      name: "chart",
      spec: { attrs: { values: { validate: "string" } } },
      markdown: {
        fence: "chart",
        read: (code) => (/[a-z]/.test(code) ? undefined : { values: code }),
        write: ({ values }) => String(values),
      },
      html: ({ values }) => ({ tag: "pre", attrs: { class: "chart" }, children: [String(values)] }),
      text: ({ values }) => String(values),
      examples: [{ values: "1 2\n3\n```\n" }, { values: "" }],
    },
  ],
  marks: [
    {
      name: "spoiler",
      markdown: { delimiter: "%%" },
      html: { tag: "span", attrs: { class: "spoiler" } },
    },
    { name: "quoted", markdown: { delimiter: "''" }, html: { tag: "q" } },
    {
      name: "remark",
      spec: { attrs: { id: { validate: "string" }, resolved: { default: false, validate: "boolean" } } },
      markdown: {
        delimiter: "??",
        read: (source) => {
          const [, id, tick] = /^([\w |\]*-]+)(✓?)$/u.exec(source) ?? [];
          return id === undefined ? undefined : { id, resolved: tick !== "" };
        },
        write: ({ id, resolved }) => `${id}${resolved === true ? "✓" : ""}`,
      },
      html: ({ id, resolved }) => ({
        tag: "span",
        attrs: { class: resolved === true ? "resolved" : "remark", "data-id": String(id) },
      }),
      examples: [{ id: "a1" }, { id: "b-2", resolved: true }, { id: "c | *d*]" }],
    },
  ],
});

/** The same, which writes as HTML what Markdown has no syntax for. */
export const ownCodecWithHtml: Codec = createCodec({ ...ownCodec.definitions, html });

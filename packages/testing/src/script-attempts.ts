/** Markup that would run `alert`. */
const markup = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=data:text/javascript,alert(1)></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "</title><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "--><script>alert(1)</script><!--",
  "]]><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img/src=x/onerror=alert(1)//",
  "<img src=x onerror=\nalert(1)>",
  "<IMG SRC=\"x\" OnErRoR='alert(1)'>",
  "<svg onload=alert(1)>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><script>alert&#40;1)</script></svg>",
  "<body onload=alert(1)>",
  "<input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  '<iframe src="javascript:parent.alert(1)"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
  '<form action="javascript:alert(1)"><button autofocus onfocus=alert(1)>x</button></form>',
  "<marquee onstart=alert(1)>x</marquee>",
  "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=alert(1)>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<template><script>alert(1)</script></template>",
  '<base href="javascript:alert(1)//">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="data:text/css,*{x:expression(alert(1))}">',
  '" onmouseover="alert(1)" autofocus onfocus="alert(1)" x="',
  "' onmouseover='alert(1)' autofocus onfocus='alert(1)' x='",
  "` onmouseover=`alert(1)`",
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "\u003cscript\u003ealert(1)\u003c/script\u003e",
  "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
  "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "<\u0130MG src=x onerror=alert(1)>",
  "<img src=x onerror=alert(1)\u2028>",
  "<img src=`x`onerror=alert(1)>",
  "<a\u000bhref=x>\u000c<img src=x onerror=alert(1)>",
];

/** Addresses that would run `alert`. */
const addresses = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A&#x61&#x76&#x61script:alert(1)",
  "javascript&colon;alert(1)",
  "\u0001javascript:alert(1)",
  " javascript:alert(1)",
  "\u200bjavascript:alert(1)",
  "javascript://%0aalert(1)",
  "javascript%3Aalert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "file:///etc/passwd",
  'x" onerror="alert(1)',
  "x' onerror='alert(1)",
  "x onerror=alert(1)",
  '//example.com/"><script>alert(1)</script>',
  '#"><img src=x onerror=alert(1)>',
  "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
];

const inMarkup: readonly ((attempt: string) => string)[] = [
  (attempt) => attempt,
  (attempt) => `**${attempt}** *${attempt}* ~~${attempt}~~ ==${attempt}==`,
  (attempt) => `\`\` ${attempt} \`\``,
  (attempt) => `\`\`\`\`${attempt.replaceAll(/[`\n]/g, "")}\n${attempt}\n\`\`\`\``,
  (attempt) => `# ${attempt.replaceAll("\n", " ")} {#a"onclick=alert(1)}`,
  (attempt) => `> - [x] ${attempt}`,
  (attempt) => `| a | ${attempt.replaceAll(/[|\n]/g, " ")} |\n|---|:-:|\n| ${attempt.replaceAll(/[|\n]/g, " ")} | b |`,
  (attempt) => `[${attempt}](https://example.com "${attempt.replaceAll(/["\n]/g, "&quot;")}")`,
  (attempt) => `![${attempt}](https://example.invalid/x.png '${attempt.replaceAll(/['\n]/g, "&#39;")}')`,
  (attempt) => `Note[^${attempt.replaceAll(/[\]\s[]/g, "")}].\n\n[^${attempt.replaceAll(/[\]\s[]/g, "")}]: ${attempt}`,
];

const inAddresses: readonly ((attempt: string) => string)[] = [
  (attempt) => `[link](<${attempt}>)`,
  (attempt) => `[link](${attempt})`,
  (attempt) => `![image](<${attempt}>)`,
  (attempt) => `[reference][r]\n\n[r]: <${attempt}> "title"`,
  (attempt) => `<${attempt}>`,
];

/** A document that tries to run something: its text, and what it is called. */
export type ScriptAttempt = { readonly title: string; readonly text: string; readonly cases: number };

/** A document an attempt, with it in every place that a text or an address can stand in; the title is one of them. */
export function scriptAttempts(): ScriptAttempt[] {
  const document = (attempt: string, places: readonly ((attempt: string) => string)[]): ScriptAttempt => ({
    title: attempt.replaceAll(/\p{Cc}/gu, " ").slice(0, 250),
    text: places.map((place) => place(attempt)).join("\n\n"),
    cases: places.length + 1,
  });
  return [
    ...markup.map((attempt) => document(attempt, inMarkup)),
    ...addresses.map((attempt) => document(attempt, inAddresses)),
  ];
}

/** Browser without scripts: it keeps cookies, sends its origin with forms, and reads the fields of a form. */
export type TestBrowser = {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Submits the form of a page to `action`; `fields` override the values of the page. */
  submit(page: Page, action: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
};

/** Response with its body read. */
export type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Values of the form's fields. */
  readonly fields: Readonly<Record<string, string>>;
};

type App = { request(path: string, init: RequestInit, env?: object): Response | Promise<Response> };

/** Creates a browser for an app; `address` is the remote address of its connection. */
export function testBrowser(app: App, options: { origin?: string; address?: string } = {}): TestBrowser {
  const { origin = "http://localhost:3000", address = "203.0.113.1" } = options;
  const env = { incoming: { socket: { remoteAddress: address } } };
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Page> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await app.request(new URL(path, origin).href, { ...init, headers }, env);
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, fields: fieldsOf(text) };
  };
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    submit: (page, action, fields = {}, headers = {}) =>
      send(action, {
        method: "POST",
        headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ ...page.fields, ...fields }).toString(),
      }),
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ""] = line.split(";");
  const name = pair.slice(0, pair.indexOf("="));
  // Browsers discard larger cookies.
  if (pair.length > 4_096) return;
  if (/max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, pair.slice(name.length + 1));
}

function fieldsOf(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*>/g)].filter(
    ([tag]) => !tag.includes('type="radio"') || / checked\b/.test(tag),
  );
  return Object.fromEntries(
    inputs.map(([tag, name = ""]) => [name, unescaped(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "")]),
  );
}

/** Decodes the text of an HTML attribute. */
const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

import type { Row } from "@kb/http";

type Schema = Row["fields"][number]["schema"];

/**
 * Returns a command that calls the row with curl. Ids and secrets are variables of the shell, such as `$id`; a session is in the
 * file `cookies.txt` and `$CSRF`, as the guide says.
 */
export function commandOf(row: Row, appUrl: string): string {
  const path = row.path.replaceAll(/\{(\w+)\}/g, "$$$1");
  const method = row.method === "get" ? "" : `-X ${row.method.toUpperCase()} `;
  const open = row.isStream ? "-N " : "";
  const body = bodyOf(row);
  const lines = [`curl ${open}${method}"${appUrl}${path}${queryOf(row)}"`, ...headersOf(row, appUrl)];
  if (body !== undefined) lines.push(`  -H "Content-Type: application/json" --data-binary @- <<JSON`);
  const command = lines.join(" \\\n");
  return body === undefined ? command : `${command}\n${body}\nJSON`;
}

function headersOf(row: Row, appUrl: string): string[] {
  if (!row.sessionOnly) return [`  -H "Authorization: Bearer ${row.caller === "user" ? "$KEY" : "$TOKEN"}"`];
  return [
    "  -b cookies.txt",
    ...(row.needsCsrfToken ? [`  -H "Origin: ${appUrl}"`, `  -H "X-CSRF-Token: $CSRF"`] : []),
  ];
}

const requiredFields = (row: Row): Row["fields"] =>
  row.fields.filter(({ name, required }) => required && !row.pathParameters.includes(name));

function queryOf(row: Row): string {
  if (row.method !== "get") return "";
  const query =
    row.exampleQuery ??
    requiredFields(row)
      .map(({ name }) => `${name}=$${name}`)
      .join("&");
  return query === "" ? "" : `?${query}`;
}

/** Returns the body of the row's example with the required fields that it leaves out; undefined for an empty body. */
function bodyOf(row: Row): string | undefined {
  if (row.method === "get" || row.method === "delete") return undefined;
  const missing = requiredFields(row).filter(({ name }) => row.example?.[name] === undefined);
  const body = {
    ...Object.fromEntries(missing.map(({ name, schema }) => [name, exampleValue(name, schema)])),
    ...row.example,
  };
  return Object.keys(body).length === 0 ? undefined : JSON.stringify(body, null, 2).replaceAll(objectVariable, "$1");
}

/** The mark of a variable that holds an object, which stands without quotation marks. */
const objectVariable = /"(\$\w+):object"/g;

/** Returns a value of a field: the smallest number, the first choice, or a variable with the name of the field. */
function exampleValue(name: string, schema: Schema): unknown {
  if (schema.type === "integer") return schema.minimum ?? 0;
  if (schema.type === "array") return [`$${name.replace(/s$/, "")}`];
  if (schema.type === "object") return `$${name}:object`;
  return schema.enum?.[0] ?? `$${name}`;
}

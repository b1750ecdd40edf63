import { parseSync, Visitor } from "oxc-parser";
import { lineAt, type SourceFile } from "./repository.ts";

/** What a module reaches for: other modules, and the globals that only a few files may touch. */
export type ModuleUse = {
  readonly imports: readonly Import[];
  readonly environmentLines: readonly number[];
  readonly fetchLines: readonly number[];
  /** Where an operation's work is taken hold of. */
  readonly performLines: readonly number[];
  /** Where a row of the REST table is written out. */
  readonly rowLines: readonly number[];
};

/** One import or re-export. `names` are the values it brings in; empty when it brings in types alone. */
export type Import = { readonly specifier: string; readonly line: number; readonly names: readonly string[] };

/** Reads one module's imports and its uses of `process.env` and `fetch`. Throws on a syntax error. */
export function readModule(file: SourceFile): ModuleUse {
  const { program, module, errors } = parseSync(file.path, file.text);
  const [problem] = errors;
  if (problem) throw new SyntaxError(`${file.path}: ${problem.message}`);

  const imports: Import[] = [];
  const add = (specifier: string, start: number, names: readonly string[]) =>
    imports.push({ specifier, line: lineAt(file.text, start), names });

  for (const statement of module.staticImports) {
    const names = statement.entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? "*");
    add(statement.moduleRequest.value, statement.start, statement.entries.length === 0 ? ["*"] : names);
  }
  for (const entry of module.staticExports.flatMap((statement) => statement.entries)) {
    if (entry.moduleRequest) {
      add(entry.moduleRequest.value, entry.start, entry.isType ? [] : [entry.importName.name ?? "*"]);
    }
  }

  const environmentLines: number[] = [];
  const handedOn = new Set<number>();
  const fetchLines: number[] = [];
  const performLines: number[] = [];
  const rowLines: number[] = [];
  new Visitor({
    ImportExpression(node) {
      // A computed specifier hides an arrow: it is reported as the expression that it is.
      const { source } = node;
      const literal = source.type === "Literal" && typeof source.value === "string" ? source.value : undefined;
      const specifier = literal ?? file.text.slice(source.start, source.end);
      add(specifier, node.start, ["*"]);
    },
    TSImportType(node) {
      add(file.text.slice(node.source.start + 1, node.source.end - 1), node.start, []);
    },
    SpreadElement(node) {
      // `{ ...process.env }` hands the environment on to a child process; it reads no setting.
      handedOn.add(node.argument.start);
    },
    ObjectPattern(node) {
      if (keysOf(node.properties).includes("perform")) performLines.push(lineAt(file.text, node.start));
    },
    ObjectExpression(node) {
      const keys = keysOf(node.properties);
      if (["method", "path", "answer"].every((key) => keys.includes(key))) rowLines.push(lineAt(file.text, node.start));
    },
    MemberExpression(node) {
      const { property } = node;
      const name = property.type === "Literal" ? property.value : property.type === "Identifier" ? property.name : "";
      if (name === "perform") performLines.push(lineAt(file.text, node.start));
      if (node.object.type !== "Identifier" || node.computed || node.property.type !== "Identifier") return;
      const access = `${node.object.name}.${node.property.name}`;
      if (access === "process.env" && !handedOn.has(node.start)) environmentLines.push(lineAt(file.text, node.start));
      if (access === "globalThis.fetch") fetchLines.push(lineAt(file.text, node.start));
    },
    CallExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "fetch") {
        fetchLines.push(lineAt(file.text, node.start));
      }
    },
  }).visit(program);
  return { imports, environmentLines, fetchLines, performLines, rowLines };
}

/** The names of an object's plain keys. */
function keysOf(properties: readonly { type: string; key?: unknown }[]): string[] {
  return properties.flatMap(({ key }) =>
    typeof key === "object" && key !== null && "name" in key && typeof key.name === "string" ? [key.name] : [],
  );
}

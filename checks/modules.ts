import { type ParseResult, parseSync, Visitor } from "oxc-parser";
import { lineAt, type SourceFile } from "./repository.ts";

/** Modules that a module imports, and its uses of globals that only a few files may access. */
export type ModuleUse = {
  readonly imports: readonly Import[];
  readonly environmentLines: readonly number[];
  readonly fetchLines: readonly number[];
  /** Lines that access the `perform` of an operation. */
  readonly performLines: readonly number[];
  /** Lines that define a row of the REST table as a literal. */
  readonly rowLines: readonly number[];
  /** Lines that contain SQL, or use a statement or a model of a `database` or a transaction `tx`. */
  readonly sqlLines: readonly number[];
};

/** One import or re-export. `names` lists the imported values; it is empty when only types are imported. */
export type Import = { readonly specifier: string; readonly line: number; readonly names: readonly string[] };

/** Reads one module's imports and its uses of `process.env` and `fetch`. Throws on a syntax error. */
export function readModule(file: SourceFile): ModuleUse {
  const { program, module, errors } = parseSync(file.path, file.text);
  const [problem] = errors;
  if (problem) throw new SyntaxError(`${file.path}: ${problem.message}`);

  const imports = staticImports(module, file.text);
  const add = (specifier: string, start: number, names: readonly string[]) =>
    imports.push({ specifier, line: lineAt(file.text, start), names });
  const environmentLines: number[] = [];
  const handedOn = new Set<number>();
  const fetchLines: number[] = [];
  const performLines: number[] = [];
  const rowLines: number[] = [];
  const sqlLines: number[] = [];
  new Visitor({
    ImportExpression(node) {
      // A computed specifier hides an arrow, so the expression itself is reported.
      const { source } = node;
      const literal = source.type === "Literal" && typeof source.value === "string" ? source.value : undefined;
      const specifier = literal ?? file.text.slice(source.start, source.end);
      add(specifier, node.start, ["*"]);
    },
    TSImportType(node) {
      add(file.text.slice(node.source.start + 1, node.source.end - 1), node.start, []);
    },
    SpreadElement(node) {
      // `{ ...process.env }` passes the environment to a child process; it reads no setting.
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
      const name =
        property.type === "Literal" ? String(property.value) : property.type === "Identifier" ? property.name : "";
      if (name === "perform") performLines.push(lineAt(file.text, node.start));
      const owner = nameOf(node.object);
      if (owner === "tx" || (owner === "database" && statementMakers.has(name))) {
        sqlLines.push(lineAt(file.text, node.start));
      }
      if (node.object.type !== "Identifier" || node.computed || node.property.type !== "Identifier") return;
      const access = `${node.object.name}.${node.property.name}`;
      if (access === "process.env" && !handedOn.has(node.start)) environmentLines.push(lineAt(file.text, node.start));
      if (access === "globalThis.fetch") fetchLines.push(lineAt(file.text, node.start));
    },
    TaggedTemplateExpression(node) {
      if (nameOf(node.tag) === "sql") sqlLines.push(lineAt(file.text, node.start));
    },
    CallExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "fetch") {
        fetchLines.push(lineAt(file.text, node.start));
      }
    },
  }).visit(program);
  return { imports, environmentLines, fetchLines, performLines, rowLines, sqlLines };
}

/** Returns the imports and re-exports that are statements. */
function staticImports(module: ParseResult["module"], text: string): Import[] {
  const imported = module.staticImports.map(({ moduleRequest, entries, start }): Import => {
    const names = entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? "*");
    return {
      specifier: moduleRequest.value,
      line: lineAt(text, start),
      names: entries.length === 0 ? ["*"] : names,
    };
  });
  const exported = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType, importName, start }): Import[] => {
      if (!moduleRequest) return [];
      const names = isType ? [] : [importName.name ?? "*"];
      return [{ specifier: moduleRequest.value, line: lineAt(text, start), names }];
    });
  return [...imported, ...exported];
}

/** Members of a `Database` that create statements. */
const statementMakers: ReadonlySet<string> = new Set(["client", "rows", "execute", "beforeTeam", "acrossTeams"]);

/** Returns the name of a variable or of the last accessed property; undefined for any other expression. */
function nameOf(expression: { type: string; name?: unknown; property?: unknown }): string | undefined {
  const { property } = expression;
  const named = expression.type === "MemberExpression" && typeof property === "object" ? property : expression;
  return named !== null && "name" in named && typeof named.name === "string" ? named.name : undefined;
}

/** Returns the names of an object's plain keys. */
function keysOf(properties: readonly { type: string; key?: unknown }[]): string[] {
  return properties.flatMap(({ key }) =>
    typeof key === "object" && key !== null && "name" in key && typeof key.name === "string" ? [key.name] : [],
  );
}

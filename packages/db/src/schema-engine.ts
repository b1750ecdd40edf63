import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const bindingsName = "@prisma/schema-engine-wasm/schema_engine_bg";

let loading: Promise<void> | undefined;

// Loads the .wasm file by hand: the package imports it as a module, for which Node prints a warning on every run.
async function instantiate(): Promise<void> {
  const file = join(dirname(createRequire(import.meta.url).resolve(bindingsName)), "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    "./schema_engine_bg.js": imports(),
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
}

// The engine leaves the timer of its lock timeout (10 s) behind, which must not keep a finished process alive.
function imports(): WebAssembly.ModuleImports {
  const functions = Object.entries(bindings).filter((entry) => typeof entry[1] === "function");
  return Object.fromEntries(
    functions.map(([name, run]) => [name, name.startsWith("__wbg_setTimeout_") ? unreferenced(run) : run]),
  );
}

function unreferenced(start: WebAssembly.ImportValue): WebAssembly.ImportValue {
  return (...args: unknown[]) => {
    const timer: unknown = typeof start === "function" ? Reflect.apply(start, undefined, args) : undefined;
    if (timer instanceof Object && "unref" in timer && typeof timer.unref === "function") timer.unref();
    return timer;
  };
}

/** Runs `work` with Prisma's migration engine, connected to `url`. A script that fails throws PostgreSQL's own error. */
export async function withSchemaEngine<T>(url: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  loading ??= instantiate();
  await loading;
  const pool = poolFor(url);
  let scriptError: unknown;
  const onScriptError = (error: unknown): void => {
    scriptError = error;
  };
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(url, pool, onScriptError));
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } catch (error) {
    throw scriptError ?? error;
  } finally {
    await pool.end();
  }
}

function poolFor(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    connectionTimeoutMillis: 3_000,
    application_name: "kb-migrate",
  });
  pool.on("error", () => {});
  pool.on("connect", readCharAsText);
  return pool;
}

const charOid = pg.types.builtins.CHAR;
const textOid = pg.types.builtins.TEXT;
const charColumns = new Set<string>();

// The engine reads columns of the internal type "char" from the catalogue, which the adapter refuses to convert. It gets
// them as text, and `fixAdapter` reports them as characters, as the engine expects.
function readCharAsText(client: pg.PoolClient): void {
  client.connection.prependListener("rowDescription", (description: { fields: pg.FieldDef[] }) => {
    for (const field of description.fields) {
      if (field.dataTypeID !== charOid) continue;
      field.dataTypeID = textOid;
      charColumns.add(field.name);
    }
  });
}

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;

/** Prisma's adapter with fixes for scripts and for the shadow database. */
class MigrationAdapter extends PrismaPg {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #onScriptError: (error: unknown) => void;

  constructor(url: string, pool: pg.Pool, onScriptError: (error: unknown) => void) {
    super(pool);
    this.#onScriptError = onScriptError;
    this.#url = url;
    this.#pool = pool;
  }

  override async connect(): Promise<Adapter> {
    return fixAdapter(await super.connect(), this.#onScriptError);
  }

  // The original drops the database while connected to it, and uses the database of the URL instead.
  override async connectToShadowDb(): Promise<Adapter> {
    const name = `kb_shadow_${randomUUID()}`;
    await this.#pool.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    const pool = poolFor(url.href);
    const adapter = fixAdapter(await new PrismaPg(pool).connect(), this.#onScriptError);
    adapter.dispose = async () => {
      await pool.end();
      await this.#pool.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    };
    return adapter;
  }
}

function fixAdapter(adapter: Adapter, onScriptError: (error: unknown) => void): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = result.columnTypes.map((type, index) =>
      charColumns.has(result.columnNames[index] ?? "") ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
  // Sends a script as a whole, which makes it one implicit transaction. The original splits it at every semicolon, even
  // inside a function's body, and keeps the first half if the second fails.
  adapter.executeScript = async (script) => {
    const connection = await adapter.underlyingDriver().connect();
    try {
      await connection.query(`SET lock_timeout = '${lockTimeoutOf(script)}'`);
      await connection.query(script);
    } catch (error) {
      onScriptError(error);
      throw error;
    } finally {
      connection.release();
    }
  };
  return adapter;
}

/**
 * Returns the lock timeout: one second, because later statements wait behind one that waits for a lock. A concurrent
 * statement waits for transactions to end and blocks nothing.
 */
const lockTimeoutOf = (script: string): string => (/\bCONCURRENTLY\b/i.test(script) ? "10min" : "1s");

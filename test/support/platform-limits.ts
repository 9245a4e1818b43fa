import { env } from "cloudflare:workers";
import { currentInvocation } from "./invocations.ts";
import { serializedBytes, utf8Bytes } from "./value-bytes.ts";

/**
 * Limits of Cloudflare that the local simulation does not have, or has higher.
 * https://developers.cloudflare.com/d1/platform/limits/, /durable-objects/platform/limits/ and
 * /queues/platform/limits/.
 */
export const platformLimits = {
  /** Of a text or a row in D1 and in an object's SQL, and of a key with its value in an object. */
  valueBytes: 2_000_000,
  statementBytes: 100_000,
  boundParameters: 100,
  functionArguments: 32,
  batchMs: 30_000,
  /** Of an invocation. Each statement of a batch counts. */
  d1Queries: 1_000,
  messageBytes: 128_000,
  messageBatchBytes: 256_000,
  messagesPerBatch: 100,
} as const;

/** What the platform adds to each message. */
const messageMetadataBytes = 100;

/** What exceeded a limit since the last `takeExceededLimits`. */
const exceeded: string[] = [];

/**
 * What exceeded a limit. A test that exceeds one on purpose calls this; otherwise it fails, also when
 * the Worker handled the error.
 */
export const takeExceededLimits = (): string[] => exceeded.splice(0);

export function assertNoLimitExceeded(): void {
  const problems = takeExceededLimits();
  if (problems.length > 0) throw new Error(`Beyond Cloudflare's limits: ${problems.join("; ")}`);
}

function exceed(problem: string, error: string): never {
  exceeded.push(problem);
  throw new Error(error);
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Check = (args: readonly unknown[]) => void;

const patched = new WeakSet<object>();

type CheckResult = (result: unknown, args: readonly unknown[]) => void;

/** Makes an asynchronous method of the runtime's class check its arguments and its result. */
function enforceOnAsync(
  instance: object,
  method: string,
  check: Check,
  checkResult: CheckResult = () => {},
): void {
  enforceOn(instance, method, (call) => async (args) => {
    check(args);
    const result = await call(args);
    checkResult(result, args);
    return result;
  });
}

/** Makes a method of the runtime's class check its arguments. */
const enforceOnSync = (instance: object, method: string, check: Check): void =>
  enforceOn(instance, method, (call) => (args) => {
    check(args);
    return call(args);
  });

type Call = (args: readonly unknown[]) => unknown;

function enforceOn(instance: object, method: string, wrap: (call: Call) => Call): void {
  let prototype: object | null = instance;
  while (prototype !== null && !Object.hasOwn(prototype, method))
    prototype = Object.getPrototypeOf(prototype);
  const original = Object(prototype)[method] as Method | undefined;
  if (prototype === null || original === undefined)
    throw new Error(`The runtime has no ${method}: enforce its limits elsewhere.`);
  if (patched.has(original)) return;
  const enforced: Method = function (...args) {
    return wrap((passed) => original.apply(this, [...passed]))(args);
  };
  patched.add(enforced);
  Object.defineProperty(prototype, method, { value: enforced, writable: true, configurable: true });
}

/** Makes D1 and the queues of this isolate refuse what Cloudflare refuses. */
export function enforcePlatformLimits(): void {
  enforceOnAsync(env.SHOP_1.withSession(), "_sendOrThrow", checkD1Call, checkD1Results);
  for (const queue of [env.EVENTS, env.WORK, env.MESSAGES]) {
    enforceOnAsync(queue, "send", ([body]) => checkMessages([body]));
    enforceOnAsync(queue, "sendBatch", ([messages]) =>
      checkMessages([...(messages as Iterable<{ body: unknown }>)].map(({ body }) => body)),
    );
  }
}

/** Makes the storage of an object, and of every other one in this isolate, refuse what Cloudflare refuses. */
export function enforceObjectLimits({ sql, kv }: DurableObjectStorage): void {
  enforceOnSync(sql, "exec", ([statement, ...values]) =>
    checkStatement({ sql: String(statement), params: values }, "SQL of an object"),
  );
  enforceOnSync(kv, "put", ([key, value]) => {
    const bytes = utf8Bytes(String(key)) + serializedBytes(value);
    if (bytes > platformLimits.valueBytes)
      exceed(`an object stores ${bytes} bytes as ${key}`, "Values cannot be larger than 2 MB.");
  });
}

type SentStatement = Readonly<{ sql: string; params: readonly unknown[] }>;

function checkD1Call([, query, params = []]: readonly unknown[]): void {
  const texts = Array.isArray(query) ? query : [query];
  countD1Queries(texts.length);
  const values = Array.isArray(query) ? params : [params];
  for (const [index, text] of texts.entries())
    checkStatement({ sql: sqlOf(text), params: Object(values)[index] ?? [] }, "D1");
}

function countD1Queries(count: number): void {
  const invocation = currentInvocation();
  if (!invocation) return;
  invocation.d1Queries += count;
  if (invocation.d1Queries > platformLimits.d1Queries)
    exceed(
      `${invocation.d1Queries} D1 queries in ${invocation.name}`,
      "D1_ERROR: Too many API requests by single worker invocation.",
    );
}

const sqlOf = (statement: unknown): string =>
  typeof statement === "string" ? statement : String(Object(statement).sql);

const insert = /^\s*insert\b/i;

function checkStatement({ sql, params }: SentStatement, where: string): void {
  const fail = (problem: string) =>
    exceed(`${where}: ${problem} in: ${sql.trim().slice(0, 120)}`, `D1_ERROR: ${problem}`);
  if (params.length > platformLimits.boundParameters) fail(`${params.length} bound parameters`);
  let rowBytes = 0;
  for (const value of params) {
    const bytes = valueBytes(value);
    rowBytes += bytes;
    if (bytes > platformLimits.valueBytes) fail(`a parameter of ${bytes} bytes`);
  }
  // The rows of a longer list have no more bytes than this together.
  if (rowBytes > platformLimits.valueBytes && insert.test(sql) && /\bvalues\b/i.test(sql))
    fail(`a row of ${rowBytes} bytes`);
  const problem = problemOfText(sql);
  if (problem !== null) fail(problem);
}

function valueBytes(value: unknown): number {
  if (typeof value === "string") return utf8Bytes(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8;
}

/** The texts that were checked, which are few. */
const checkedTexts = new Map<string, string | null>();

function problemOfText(sql: string): string | null {
  const known = checkedTexts.get(sql);
  if (known !== undefined) return known;
  const bytes = utf8Bytes(sql);
  const mostArguments = maxFunctionArguments(sql);
  const problem =
    bytes > platformLimits.statementBytes
      ? `a statement of ${bytes} bytes`
      : mostArguments > platformLimits.functionArguments
        ? `a function with ${mostArguments} arguments`
        : null;
  checkedTexts.set(sql, problem);
  return problem;
}

/** The largest number of arguments with which a text calls a function. */
function maxFunctionArguments(sql: string): number {
  const plain = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*$/gm, (quoted) =>
    quoted.startsWith("--") ? "" : "x",
  );
  let most = 0;
  const open: { count: number; isCall: boolean }[] = [];
  for (const [index, character] of [...plain].entries()) {
    if (character === "(") open.push({ count: 1, isCall: /\w/.test(plain[index - 1] ?? "") });
    const current = open.at(-1);
    if (character === "," && current) current.count += 1;
    if (character !== ")") continue;
    open.pop();
    if (current?.isCall) most = Math.max(most, current.count);
  }
  return most;
}

type D1Results = Readonly<{ results?: unknown; meta?: { duration?: number } }>;

/** A text that a query computes must not be longer than a stored one. */
function checkD1Results(responses: unknown, [, query]: readonly unknown[]): void {
  let durationMs = 0;
  for (const { results, meta } of [responses].flat() as D1Results[]) {
    durationMs += meta?.duration ?? 0;
    const rows = Array.isArray(results) ? results : (Object(results).rows ?? []);
    for (const value of rows.flatMap((row: object) => Object.values(row))) {
      if (typeof value === "string" && utf8Bytes(value) > platformLimits.valueBytes)
        exceed(
          `D1: a result of ${utf8Bytes(value)} bytes in: ${sqlOf([query].flat()[0]).slice(0, 120)}`,
          "D1_ERROR: string or blob too big",
        );
    }
  }
  if (durationMs > platformLimits.batchMs)
    exceed(`D1: a batch of ${durationMs} ms`, "D1_ERROR: D1 DB exceeded its CPU time limit.");
}

/** Fails as a queue does for messages that are too large or too many. */
export function checkMessages(bodies: readonly unknown[]): void {
  const sizes = bodies.map((body) => utf8Bytes(JSON.stringify(body)) + messageMetadataBytes);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (sizes.some((bytes) => bytes > platformLimits.messageBytes))
    exceed(`a message of ${Math.max(...sizes)} bytes`, "Queue send failed: Payload Too Large");
  if (total > platformLimits.messageBatchBytes || bodies.length > platformLimits.messagesPerBatch)
    exceed(`${bodies.length} messages of ${total} bytes`, "Queue sendBatch failed: Too Large");
}

/** How many tables one statement measures, because SQLite limits the size of a compiled statement. */
const tablesPerStatement = 15;

/** For each table, the SQL for the bytes of its largest row. The schema is read once. */
const rowQueries = new WeakMap<D1Database, string[]>();

/** @throws Error naming the tables with a row that D1 would not store. */
export async function assertRowsFit(): Promise<void> {
  for (const database of [env.CORE, env.SHOP_1, env.SHOP_2]) {
    const queries = rowQueries.get(database) ?? (await largestRowQueries(database));
    rowQueries.set(database, queries);
    const statements = queries.map((query) => database.prepare(query));
    const results = await database.batch<Record<string, number | null>>(statements);
    const largest = results.flatMap(({ results }) => results).flatMap((row) => Object.entries(row));
    const tooLarge = largest.filter(([, bytes]) => (bytes ?? 0) > platformLimits.valueBytes);
    if (tooLarge.length > 0)
      throw new Error(`Rows beyond D1's limit: ${JSON.stringify(Object.fromEntries(tooLarge))}`);
  }
}

async function largestRowQueries(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare(
      `select listed.name as "table", own.name as "column" from pragma_table_list as listed, pragma_table_info(listed.name) as own
       where listed.schema = 'main' and listed.type = 'table' and listed.name not like '\\_cf%' escape '\\'
         and listed.name not like 'sqlite\\_%' escape '\\' and listed.name <> 'd1_migrations'`,
    )
    .all<{ table: string; column: string }>();
  const tables = [...Map.groupBy(results, ({ table }) => table)].map(([table, columns]) => {
    const bytes = columns.map(({ column }) => `coalesce(octet_length("${column}"), 0)`);
    return `(select max(${bytes.join(" + ")}) from "${table}") as "${table}"`;
  });
  return Array.from({ length: Math.ceil(tables.length / tablesPerStatement) }, (_, index) => {
    const from = index * tablesPerStatement;
    return `select ${tables.slice(from, from + tablesPerStatement).join(", ")}`;
  });
}

import type { DatabaseSync } from "node:sqlite";

/** A binding of a Worker as wrangler uploads it. */
export type Binding = Readonly<{ type: string; name: string; text?: string | undefined }> &
  Readonly<Record<string, unknown>>;

export type Script = {
  bindings: readonly Binding[];
  migrationTag: string | null;
  isAtWorkersDev: boolean;
  domains: readonly string[];
  schedules: readonly string[];
  /** The version of each upload; the last one is deployed when `isDeployed`. */
  versions: { id: string; bindings: readonly Binding[]; isDeployed: boolean }[];
};

export type Queue = { id: string; consumers: { id: string; body: Record<string, unknown> }[] };

/** What a Cloudflare account contains. */
export type AccountState = Readonly<{
  databases: Map<string, Readonly<{ id: string; sqlite: DatabaseSync }>>;
  buckets: Set<string>;
  queues: Map<string, Queue>;
  scripts: Map<string, Script>;
  subdomain: { name: string | null };
  /** Every value that a Worker's secret ever had, by name. */
  secretValues: Map<string, Set<string>>;
}>;

export const createAccountState = (): AccountState => ({
  databases: new Map(),
  buckets: new Set(),
  queues: new Map(),
  scripts: new Map(),
  subdomain: { name: null },
  secretValues: new Map(),
});

/** An error that Cloudflare's API responds with. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Runs SQL as D1's HTTP API does: several statements are one transaction. */
export function runSql(sqlite: DatabaseSync, sql: string): unknown {
  try {
    if (/^\s*select\b/i.test(sql)) return [{ success: true, results: sqlite.prepare(sql).all() }];
    sqlite.exec("BEGIN");
    try {
      sqlite.exec(sql);
      sqlite.exec("COMMIT");
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
    return [{ success: true, results: [] }];
  } catch (error) {
    throw new Refusal(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

/** Stores an upload. Like Cloudflare, it refuses bindings to what does not exist. */
export function storeVersion(
  state: AccountState,
  name: string,
  metadata: Readonly<{
    bindings: readonly Binding[];
    keep_bindings?: readonly string[] | undefined;
    migrations?: Readonly<{ new_tag: string }> | undefined;
  }>,
): string {
  for (const binding of metadata.bindings) assertBound(state, name, binding);
  const script = state.scripts.get(name) ?? {
    bindings: [],
    migrationTag: null,
    isAtWorkersDev: false,
    domains: [],
    schedules: [],
    versions: [],
  };
  const kept = script.bindings.filter(
    (one) =>
      metadata.keep_bindings?.includes(one.type) &&
      !metadata.bindings.some((other) => other.name === one.name),
  );
  const bindings = [...metadata.bindings, ...kept];
  for (const { type, name: secret, text } of bindings)
    if (type === "secret_text" && text !== undefined)
      state.secretValues.set(secret, (state.secretValues.get(secret) ?? new Set()).add(text));
  const id = `00000000-0000-4000-8000-${String(script.versions.length).padStart(12, "0")}`;
  script.versions.push({ id, bindings, isDeployed: false });
  script.migrationTag = metadata.migrations?.new_tag ?? script.migrationTag;
  state.scripts.set(name, script);
  return id;
}

export function deployVersion(script: Script, id: string): void {
  for (const version of script.versions) version.isDeployed = version.id === id;
  script.bindings = script.versions.find((version) => version.id === id)?.bindings ?? [];
}

function assertBound(state: AccountState, script: string, binding: Binding): void {
  const exists = (() => {
    switch (binding.type) {
      case "d1":
        return [...state.databases.values()].some(({ id }) => id === binding.id);
      case "r2_bucket":
        return state.buckets.has(String(binding.bucket_name));
      case "queue":
        return state.queues.has(String(binding.queue_name));
      case "service":
        return state.scripts.has(String(binding.service));
      case "durable_object_namespace":
        return state.scripts.has(String(binding.script_name ?? script)) || !binding.script_name;
      default:
        return true;
    }
  })();
  if (!exists) throw new Refusal(400, 10021, `binding ${binding.name} of ${script} is not valid`);
}

/**
 * What two accounts have in common after the same deployment: everything except ids and the values
 * of secrets.
 */
export const contentsOf = (state: AccountState) => ({
  databases: Object.fromEntries(
    [...state.databases].sort().map(([name, { sqlite }]) => [
      name,
      {
        tables: sqlite.prepare("SELECT sql FROM sqlite_master ORDER BY name").all(),
        migrations: sqlite.prepare("SELECT name FROM d1_migrations ORDER BY name").all(),
      },
    ]),
  ),
  buckets: [...state.buckets].sort(),
  queues: Object.fromEntries(
    [...state.queues]
      .sort()
      .map(([name, { consumers }]) => [name, consumers.map(({ body }) => body)]),
  ),
  subdomain: state.subdomain.name,
  scripts: Object.fromEntries(
    [...state.scripts]
      .sort()
      .map(([name, { bindings, versions: _, ...script }]) => [
        name,
        { ...script, bindings: bindings.map(comparable).sort() },
      ]),
  ),
});

const comparable = ({ type, name, text }: Binding): string =>
  `${type} ${name}${type === "plain_text" ? ` ${text}` : ""}`;

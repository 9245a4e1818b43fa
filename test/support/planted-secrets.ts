import { env } from "cloudflare:workers";

/** What every secret key that tests connect contains, so that it can be searched for. */
export const plantedMark = "_planted";

/** Texts that no response, log line or stored record of any test may contain. */
const needles: readonly string[] = [
  plantedMark,
  env.PAYSTACK_SECRET_KEY,
  env.SESSION_SECRET,
  env.WEBHOOK_SIGNING_SECRET,
  ...env.CREDENTIALS_KEY.split(/[,:]/).filter((part) => part.length > 8),
];

/** Where a secret was found since the last `assertNoSecretFound`. */
const found: string[] = [];

/** Searches a text for the planted secrets. The test fails when it ends, also when the error was caught. */
export function searchForSecrets(place: string, text: string): void {
  if (needles.some((needle) => text.includes(needle))) found.push(place);
}

/** The places in which secrets were found. A test that prints one on purpose calls this. */
export const takeFoundSecrets = (): string[] => found.splice(0);

export function assertNoSecretFound(): void {
  const places = takeFoundSecrets();
  if (places.length > 0) throw new Error(`A secret is in ${places.join(", ")}.`);
}

const levels: readonly unknown[] = ["debug", "error", "info", "log", "warn"];
/** The console of the runtime. Files share a process, and each has its own search. */
const unwatched = Symbol.for("unwatched console");

/** Searches every log line, also while a test has mocked the console. */
export function watchConsole(): void {
  const original: typeof console = Reflect.get(console, unwatched) ?? console;
  globalThis.console = new Proxy(original, {
    get(target, name) {
      if (name === unwatched) return target;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || !levels.includes(name)) return value;
      return new Proxy(value, {
        apply(write, self, line: unknown[]) {
          searchForSecrets(`a log line of console.${String(name)}`, line.map(String).join(" "));
          return Reflect.apply(write, self, line);
        },
      });
    },
  });
}

/** The columns of shops and of CORE in which what a request sent could remain readable. */
const storedTexts = {
  shop: ["audit_entries.before", "audit_entries.after", "events.data"],
  core: ["provider_accounts.sealed_credentials", "provider_accounts.last_error"],
} as const;

/** Searches what the file's tests have stored. */
export async function assertNoStoredSecret(): Promise<void> {
  const columns = [
    ...[env.SHOP_1, env.SHOP_2].flatMap((db) => storedTexts.shop.map((at) => ({ db, at }))),
    ...storedTexts.core.map((at) => ({ db: env.CORE, at })),
  ];
  await Promise.all(
    columns.map(async ({ db, at }) => {
      const [table, column] = at.split(".");
      const hit = await db
        .prepare(
          `select 1 from ${table} where exists (
             select 1 from json_each(?) where instr(${table}.${column}, value)) limit 1`,
        )
        .bind(JSON.stringify(needles))
        .first();
      if (hit) found.push(at);
    }),
  );
  assertNoSecretFound();
}

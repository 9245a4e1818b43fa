import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { type BackgroundContext, createBackground } from "../../functions/background/context.ts";
import {
  purgeEndedHolds,
  purgeExpiredQuotes,
  purgeLinkRecords,
  purgeShopCodes,
  purgeStoredResponses,
} from "../../functions/background/jobs/housekeeping.ts";
import type { JobResult } from "../../functions/background/runs/batches.ts";

const rowsPerBatch = 5_000;
const freshRows = 3;

/** A purged table: the columns and values of row `n` of the time `at`, and the rows of a batch. */
type PurgeCase = Readonly<{
  job: (background: BackgroundContext, shard: string) => Promise<JobResult>;
  database?: D1Database;
  row: string;
  values: string;
  share?: number;
  /** Statements that insert the rows' parents. */
  owners?: readonly string[];
}>;

const account = `insert or ignore into link_accounts (id, mode, customer_id, notify_on_order, created_at)
  values ('lac', 'test', 'cus_lac', 0, 0)`;

const purges = {
  idempotency_keys: {
    job: purgeStoredResponses,
    row: "business_id, caller, route, key, fingerprint, lease_until, created_at",
    values: "'biz', 'c', 'r', n, 'f', 0, at",
  },
  price_quotes: {
    job: purgeExpiredQuotes,
    row: "id, business_id, product_id, quantity, selections, unit_price_minor, currency, parts, expires_at",
    values: "'q' || n, 'biz', 'p', 1, '[]', 1, 'GHS', '[]', at",
  },
  fx_quotes: {
    job: purgeExpiredQuotes,
    row: "id, business_id, from_currency, to_currency, amount_minor, rate, converted_minor, created_at, expires_at",
    values: "'f' || n, 'biz', 'GHS', 'USD', 1, '1', 1, at, at",
  },
  one_time_codes: {
    job: purgeShopCodes,
    row: "audience, contact_digest, address_digest, code_digest, wrong_tries, issued_at, expires_at",
    values: "'biz', 'd' || n, 'a', 'c', 0, at, at",
  },
  slot_claims: {
    job: purgeEndedHolds,
    row: `id, business_id, kind, service_id, location_id, resource_ids, participants, capacity, starts_at, ends_at,
      occupied_until, claimed_at, expires_at, session_id`,
    values:
      "'h' || n, 'biz', 'hold', 'svc', 'loc', '[]', 1, 1, n * 10, n * 10 + 9, n * 10 + 9, at, at + 600000, 'ses'",
    share: 500,
    owners: [
      `insert or ignore into products (id, business_id, name, slug, description, default_price_minor, product_type,
          inventory_type, is_active, is_featured, tags, properties, images, variant_axes, add_ons, created_at, updated_at)
        values ('prd', 'biz', 'Yoga', 'yoga', '', 1, 'service', 'none', 1, 0, '[]', '{}', '[]', '[]', '[]', 0, 0)`,
      `insert or ignore into services (id, business_id, product_id, duration_minutes, buffer_minutes, capacity,
          slot_interval_minutes, min_notice_minutes, booking_window_days, cancellation_notice_minutes, location_ids,
          created_at, updated_at)
        values ('svc', 'biz', 'prd', 1, 0, 1, 1, 0, 1, 0, '["loc"]', 0, 0)`,
    ],
  },
  link_refresh_tokens: {
    job: purgeLinkRecords,
    database: env.CORE,
    row: "hash, session_id, issued_at, expires_at",
    values: "'t' || n, 'ls', at, at + 60000",
    share: 1_000,
    owners: [
      account,
      `insert or ignore into link_sessions (id, account_id, created_at, last_used_at, expires_at)
        values ('ls', 'lac', 0, 0, 9e15)`,
    ],
  },
  link_sessions: {
    job: purgeLinkRecords,
    database: env.CORE,
    row: "id, account_id, created_at, last_used_at, expires_at",
    values: "'s' || n, 'lac', at, at, at",
    share: 1_000,
    owners: [account],
  },
} as const satisfies Record<string, PurgeCase>;
type Table = keyof typeof purges;

const purgeOf = (table: Table): PurgeCase => purges[table];
const databaseOf = (table: Table): D1Database => purgeOf(table).database ?? env.SHOP_1;

async function insertRows(table: Table, count: number, at: number): Promise<void> {
  const { row, values } = purges[table];
  await databaseOf(table)
    .prepare(
      `with recursive counted(n, at) as (select ?1 * 10, ?1 union all select n + 1, ?1 from counted where n < ?1 * 10 + ?2 - 1)
      insert into ${table} (${row}) select ${values} from counted`,
    )
    .bind(at, count)
    .run();
}

const countRows = async (table: Table): Promise<unknown> =>
  databaseOf(table).prepare(`select count(*) as n from ${table}`).first("n");

// safe: its own keys
it.each(Object.keys(purges) as Table[])(
  "purges %s batch by batch until none has expired, and only expired rows when runs are concurrent",
  async (table) => {
    const { job, owners = [], share: limit = rowsPerBatch } = purgeOf(table);
    await databaseOf(table).prepare(`delete from ${table}`).run();
    for (const owner of owners) await databaseOf(table).prepare(owner).run();
    const run = () => job(createBackground(env), "SHOP_1");
    await insertRows(table, freshRows, Date.now());
    await insertRows(table, limit + 1, 1);
    expect(await run()).toMatchObject({ hasMore: false });
    expect(await countRows(table)).toBe(freshRows);
    await insertRows(table, limit + 1, 1);
    await Promise.all([run(), run()]);
    expect(await countRows(table)).toBe(freshRows);
  },
);

import { env } from "cloudflare:workers";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { weekdays } from "../../shared/kernel/index.ts";
import { createKey } from "../support/create-key.ts";
import { valueAt } from "../support/responses.ts";
import { merchant } from "../support/world.ts";

type TestShop = Parameters<typeof merchant>[0];

export const hour = 60 * 60_000;
export const day = 24 * hour;

export const everyDay = (open: string, close: string) =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, [{ open, close }]]));

const nineToFive = everyDay("09:00", "17:00");

/** Opens the default location, by default every day from nine to five, and returns its id. */
export async function openLocation(shop: TestShop, fields: object = {}): Promise<string> {
  const [location] = shop.business.locations;
  const answer = await merchant(shop)("PATCH", `/locations/${location?.id}`, {
    body: { operating_hours: nineToFive, ...fields },
    headers: await createUncachedKeyHeader(shop),
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return location?.id ?? "";
}

/** Adds a second location with the same hours and returns its id. */
export const addLocation = async (shop: TestShop): Promise<string> =>
  createRecord(
    shop,
    "/locations",
    { name: "Second", operating_hours: nineToFive },
    await createUncachedKeyHeader(shop),
  );

/** A new key, for which no isolate has cached the business and its locations. */
const createUncachedKeyHeader = async (shop: TestShop) => ({ "X-API-Key": await createKey(shop) });

/** Creates a record as the merchant and returns its id. */
export async function createRecord(
  shop: TestShop,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await merchant(shop)("POST", path, { body, headers });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(valueAt(answer, "data.id"));
}

/** Creates a one-hour service with slots every hour for one participant, and returns its id. */
export const createService = (shop: TestShop, fields: object = {}): Promise<string> =>
  createRecord(shop, "/services", {
    name: "Massage",
    default_price: "80",
    duration_minutes: 60,
    ...fields,
  });

export type TestSlotAllocation = Readonly<{
  id: string;
  service: string;
  location: string;
  start: number;
  /** Defaults to one hour after the start. */
  until?: number;
  participants?: number;
  capacity?: number;
  staff?: string | null;
  resources?: readonly string[];
  /** When a hold expires; null or absent for a booking. */
  expires?: number | null;
  claimedAt?: number;
}>;

const columns =
  "id, business_id, kind, service_id, location_id, staff_id, resource_ids, participants, capacity, starts_at, ends_at, occupied_until, claimed_at, expires_at, session_id, order_id, order_line_id";

/** Writes slot allocations in one batch; an allocation that the triggers refuse fails with their name. */
export async function allocateSlots(
  shop: TestShop,
  ...allocations: readonly TestSlotAllocation[]
): Promise<void> {
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  await database.batch(
    allocations.map((allocation) => insertStatement(database, shop, allocation)),
  );
}

function insertStatement(
  database: D1Database,
  { business }: TestShop,
  allocation: TestSlotAllocation,
): D1PreparedStatement {
  const { start, until = start + hour, expires = null, claimedAt = 0 } = allocation;
  const isHold = expires !== null;
  return database
    .prepare(
      `insert into slot_claims (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at,
          occupied_until = excluded.occupied_until, participants = excluded.participants,
          claimed_at = excluded.claimed_at, expires_at = excluded.expires_at`,
    )
    .bind(
      ...[
        allocation.id,
        business.id,
        isHold ? "hold" : "booking",
        allocation.service,
        allocation.location,
      ],
      ...[
        allocation.staff ?? null,
        JSON.stringify(allocation.resources ?? []),
        allocation.participants ?? 1,
      ],
      ...[allocation.capacity ?? 1, start, until, until, claimedAt, expires],
      ...[isHold ? "ses_1" : null, isHold ? null : "ord_1", isHold ? null : "li_1"],
    );
}

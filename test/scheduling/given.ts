import { env } from "cloudflare:workers";
import { weekdays } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { at, givenKey } from "../business/given.ts";
import { merchant } from "../support/world.ts";

type Shop = Parameters<typeof merchant>[0];

export const hour = 60 * 60_000;
export const day = 24 * hour;

export const everyDay = (open: string, close: string) =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, [{ open, close }]]));

const nineToFive = everyDay("09:00", "17:00");

/** Opens the default location, every day from nine to five unless said otherwise; answers its id. */
export async function openLocation(shop: Shop, fields: object = {}): Promise<string> {
  const [location] = shop.business.locations;
  const answer = await merchant(shop)("PATCH", `/locations/${location?.id}`, {
    body: { operating_hours: nineToFive, ...fields },
    headers: await unremembered(shop),
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return location?.id ?? "";
}

/** Another location, open as the default is; answers its id. */
export const addLocation = async (shop: Shop): Promise<string> =>
  made(
    shop,
    "/locations",
    { name: "Second", operating_hours: nineToFive },
    await unremembered(shop),
  );

/** A key of which no isolate remembers the business, so that a changed location is seen by the others. */
const unremembered = async (shop: Shop) => ({ "X-API-Key": await givenKey(shop) });

/** Something that the merchant makes; answers its id. */
export async function made(
  shop: Shop,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await merchant(shop)("POST", path, { body, headers });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(at(answer, "data.id"));
}

/** A service of an hour, every hour, for one participant. */
export const givenService = (shop: Shop, fields: object = {}): Promise<string> =>
  made(shop, "/services", {
    name: "Massage",
    default_price: "80",
    duration_minutes: 60,
    ...fields,
  });

export type GivenClaim = Readonly<{
  id: string;
  service: string;
  location: string;
  start: number;
  /** Without its end: an hour. */
  until?: number;
  participants?: number;
  capacity?: number;
  staff?: string | null;
  resources?: readonly string[];
  /** A hold's end; a booking without. */
  expires?: number | null;
  claimedAt?: number;
}>;

const columns =
  "id, business_id, kind, service_id, location_id, staff_id, resource_ids, participants, capacity, starts_at, ends_at, occupied_until, claimed_at, expires_at, session_id, order_id, order_line_id";

/** Writes claims as they are, in one batch: what the triggers refuse is an error with their word for it. */
export async function claim(shop: Shop, ...claims: readonly GivenClaim[]): Promise<void> {
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  await database.batch(claims.map((one) => insertOf(database, shop, one)));
}

function insertOf(database: D1Database, { business }: Shop, one: GivenClaim): D1PreparedStatement {
  const { start, until = start + hour, expires = null, claimedAt = 0 } = one;
  const isHold = expires !== null;
  return database
    .prepare(
      `insert into slot_claims (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (id) do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at,
          occupied_until = excluded.occupied_until, participants = excluded.participants,
          claimed_at = excluded.claimed_at, expires_at = excluded.expires_at`,
    )
    .bind(
      ...[one.id, business.id, isHold ? "hold" : "booking", one.service, one.location],
      ...[one.staff ?? null, JSON.stringify(one.resources ?? []), one.participants ?? 1],
      ...[one.capacity ?? 1, start, until, until, claimedAt, expires],
      ...[isHold ? "ses_1" : null, isHold ? null : "ord_1", isHold ? null : "li_1"],
    );
}

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness, Location } from "../../shared/businesses/index.ts";
import { commit, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import {
  bookingRepo,
  findBookable,
  findOccupancy,
  holdRepo,
  type NewBooking,
  occupancyQueries,
  type SlotOffer,
  slotOffer,
  slotsByDay,
  spanOfSlots,
} from "../../shared/scheduling/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { day, everyDay, givenService, made } from "./given.ts";

let shop: CreatedBusiness;
let offer: SlotOffer;

const first = "2027-03-01";
const last = "2027-05-01"; // 62 days
const start = Date.parse(`${first}T00:00:00Z`);
const now = start - day;

beforeAll(async () => {
  shop = await givenBusiness();
  const [ann, room] = [
    await made(shop, "/staff", { name: "Ann" }),
    await made(shop, "/resources", { name: "Room", capacity: 1_000 }),
  ];
  const id = await givenService(shop, { staff_ids: [ann], resource_ids: [room], capacity: 1_000 });
  const { data } = await findBookable(contextFor(shop), id);
  if (!data) throw new Error("The service is not there.");
  const wanted = { variantId: null, locationId: null, staffId: null };
  offer = slotOffer(data, wanted, {
    ...shop.business,
    locations: shop.business.locations.map(open),
  });
  await fill(10_000);
}, 60_000);

const open = (location: Location): Location => ({
  ...location,
  operatingHours: everyDay("09:00", "17:00"),
});

/** Bookings of one participant at every full hour from 9 to 16, spread over 62 days. */
async function fill(count: number): Promise<void> {
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const statement = database.prepare(
    `insert into slot_claims (id, business_id, kind, service_id, location_id, staff_id, resource_ids,
        participants, capacity, starts_at, ends_at, occupied_until, claimed_at, order_id, order_line_id)
      select 'bk_' || ?1 || '_' || value, ?1, 'booking', ?2, ?3, ?4, json_array(?5), 1, 1000,
        ?6 + (value % 62) * 86400000 + (9 + value / 62 % 8) * 3600000,
        ?6 + (value % 62) * 86400000 + (10 + value / 62 % 8) * 3600000,
        ?6 + (value % 62) * 86400000 + (10 + value / 62 % 8) * 3600000, 0, 'ord_1', 'li_1'
      from (with recursive n (value) as (select 1 union all select value + 1 from n where value < ?7) select value from n)`,
  );
  const means = [offer.staff?.[0]?.id, offer.resources[0]?.id];
  const { id, locationIds } = offer.service;
  await database.batch([
    statement.bind(shop.business.id, id, locationIds[0], ...means, start, count),
  ]);
}

describe("the occupancy of 62 days with 10,000 bookings", () => {
  it("is read in one round trip, as many rows as there are times", async () => {
    const ctx = contextFor(shop);
    const span = spanOfSlots(offer, { first, last });
    const occupancy = await findOccupancy(ctx, offer, { span, now });
    expect(ctx.meter.d1).toBe(1);
    expect(occupancy.service).toHaveLength(62 * 8);
    expect(occupancy.staff).toHaveLength(62 * 8);
    expect(occupancy.resources).toHaveLength(62 * 8);
    const participants = (rows: readonly { participants: number }[]) =>
      rows.reduce((sum, row) => sum + row.participants, 0);
    for (const rows of [occupancy.service, occupancy.staff, occupancy.resources])
      expect(participants(rows)).toBe(10_000);
    const days = slotsByDay(offer, occupancy, { first, last, participants: 1, now });
    expect([days.size, days.get(first)]).toEqual([62, 8]);
  });

  it("is found by indexes, within the range and no more", async () => {
    const span = spanOfSlots(offer, { first, last });
    const plans = await Promise.all(
      occupancyQueries(contextFor(shop), offer, { span, now }).map((query) =>
        planOf(query.toSQL()),
      ),
    );
    const ranged = (index: string, columns: string) => [
      `SEARCH ${index} (${columns} AND starts_at>? AND starts_at<?)`,
    ];
    expect(plans).toEqual([
      ranged(
        "slot_claims USING COVERING INDEX slot_claims_by_service",
        "service_id=? AND business_id=? AND location_id=?",
      ),
      ranged(
        "slot_claims USING COVERING INDEX slot_claims_by_staff",
        "staff_id=? AND business_id=?",
      ),
      ranged(
        "slot_claim_resources USING COVERING INDEX slot_claims_by_resource",
        "resource_id=? AND business_id=?",
      ),
    ]);
  });
});

it("finds who is in a claim's way by indexes, within the longest that one takes", async () => {
  const plan = await planOf({
    sql: "select breach from slot_claim_breaches where claim_id = ?",
    params: ["bk_1"],
  });
  const range = /starts_at>\? AND starts_at<\?\)$/;
  expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  const ranges = plan.filter((step) => range.test(step));
  expect(ranges.map((step) => step.match(/INDEX (\w+)/)?.[1])).toEqual([
    "slot_claims_by_service",
    "slot_claims_by_staff",
    "slot_claims_by_resource",
  ]);
});

it("changes holds and bookings by their ids or their order, however many the business has", async () => {
  const { ctx, plans } = planning();
  const holds = holdRepo(ctx);
  const bookings = bookingRepo(ctx);
  await commit(ctx, {
    writes: [
      ...bookings.insert([givenBooking()], now),
      holds.lower("hold", { participants: 1, now }),
      holds.release(["hold"]),
      bookings.update(givenBooking().booking),
      bookings.free("bk_1"),
      bookings.confirmAll("ord_1", now),
      ...bookings.cancelAll("ord_1", { reason: null, at: now }),
      bookings.assignAll("ord_1", "cus_1"),
    ],
  });
  const narrow = /\((\w*id=\?|business_id=\? AND order_id=\?|.* AND starts_at.*)\)$/;
  const searches = plans.filter((step) => /^SEARCH/.test(step));
  expect(searches.length).toBeGreaterThan(12);
  expect(searches.filter((step) => !narrow.test(step) || /\(business_id=\?\)/.test(step))).toEqual(
    [],
  );
  expect(
    plans.filter((step) => /^SCAN (slot_claim|bookings|other|gone|claimed)/.test(step)),
  ).toEqual([]);
});

/** Of a service that somebody gives. */
function givenBooking(): NewBooking {
  const { service, location, staff, resources } = offer;
  const hour = 3_600_000;
  const place = {
    serviceId: service.id,
    locationId: location.id,
    staffIds: (staff ?? []).map(({ id }) => id),
    resourceIds: resources.map(({ id }) => id),
    participants: 1,
    capacity: 1_000,
    startsAt: start,
    endsAt: start + hour,
    occupiedUntil: start + hour,
  };
  const booking = {
    id: "bk_new",
    orderId: "ord_new",
    lineItemId: "li_new",
    serviceId: service.id,
    serviceName: "Massage",
    variantId: null,
    staffId: null,
    locationId: location.id,
    startTime: start,
    endTime: start + hour,
    participantCount: 1,
    status: "pending",
    customerId: null,
    cancelledAt: null,
    cancellationReason: null,
    rescheduledFrom: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  } as const;
  return { booking, place, holdId: "hold" };
}

/** A context that writes nothing: it tells how SQLite would go about it. */
function planning() {
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const plans: string[] = [];
  const db = openDb(
    {
      prepare: (sql) => database.prepare(`explain query plan ${sql}`),
      async batch<T>(all: D1PreparedStatement[]) {
        const answers = await database.batch<T>(all);
        plans.push(
          ...answers.flatMap(({ results }) => results).map((step) => String(Object(step).detail)),
        );
        return answers;
      },
    },
    createMeter(),
  );
  return { ctx: { ...contextFor(shop), db }, plans };
}

it.each(["staff", "resources"])("lists %s in the order of an index", async (table) => {
  const sql = `select * from ${table} where business_id = ? and archived_at is null and id > ? order by id limit 20`;
  const plan = await planOf({ sql, params: ["biz", "a"] });
  expect(plan).toEqual([
    `SEARCH ${table} USING INDEX ${table}_by_business (business_id=? AND id>?)`,
  ]);
});

/** How SQLite goes about a statement: the steps that read a table, and sorts of what a list reads. */
async function planOf({ sql, params }: { sql: string; params: unknown[] }): Promise<string[]> {
  const rows = await rowsOf(shop, `explain query plan ${sql}`, ...params);
  return rows
    .map(({ detail }) => String(detail))
    .filter((step) => /^(SEARCH|SCAN) (?!json_each)|TEMP B-TREE/.test(step));
}

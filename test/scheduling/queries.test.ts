import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness, Location } from "../../shared/businesses/index.ts";
import { commit, createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import {
  bookingRepo,
  countFreeSlotsByDay,
  findBookableService,
  findOccupancy,
  type NewBooking,
  occupancyQueries,
  occupancyRangeOfDays,
  type SlotOffer,
  slotHoldRepo,
  slotOfferFor,
} from "../../shared/scheduling/index.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import { createRecord, createService, day, everyDay } from "./create-service.ts";

let shop: CreatedBusiness;
let offer: SlotOffer;

const first = "2027-03-01";
const last = "2027-05-01"; // 62 days
const start = Date.parse(`${first}T00:00:00Z`);
const now = start - day;

beforeAll(async () => {
  shop = await createBusiness();
  const [ann, room] = [
    await createRecord(shop, "/staff", { name: "Ann" }),
    await createRecord(shop, "/resources", { name: "Room", capacity: 1_000 }),
  ];
  const id = await createService(shop, { staff_ids: [ann], resource_ids: [room], capacity: 1_000 });
  const { data } = await findBookableService(contextFor(shop), id);
  if (!data) throw new Error("The service does not exist.");
  const preferences = { variantId: null, locationId: null, staffId: null };
  offer = slotOfferFor(data, preferences, {
    ...shop.business,
    locations: shop.business.locations.map(withOpeningHours),
  });
  await insertBookings(10_000);
}, 60_000);

const withOpeningHours = (location: Location): Location => ({
  ...location,
  operatingHours: everyDay("09:00", "17:00"),
});

/** Inserts bookings of one participant at every full hour from 9 to 16, spread over 62 days. */
async function insertBookings(count: number): Promise<void> {
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
  const resourceIds = [offer.staff?.[0]?.id, offer.resources[0]?.id];
  const { id, locationIds } = offer.service;
  await database.batch([
    statement.bind(shop.business.id, id, locationIds[0], ...resourceIds, start, count),
  ]);
}

describe("the occupancy of 62 days with 10,000 bookings", () => {
  it("is loaded in one round trip with one range per distinct time", async () => {
    const ctx = contextFor(shop);
    const range = occupancyRangeOfDays(offer, { first, last });
    const occupancy = await findOccupancy(ctx, offer, { range, now });
    expect(ctx.meter.d1).toBe(1);
    expect(occupancy.service).toHaveLength(62 * 8);
    expect(occupancy.staff).toHaveLength(62 * 8);
    expect(occupancy.resources).toHaveLength(62 * 8);
    const participants = (rows: readonly { participants: number }[]) =>
      rows.reduce((sum, row) => sum + row.participants, 0);
    for (const rows of [occupancy.service, occupancy.staff, occupancy.resources])
      expect(participants(rows)).toBe(10_000);
    const rows = await ctx.db.batch(occupancyQueries(ctx, offer, { range, now }));
    expect(rows.map(({ length }) => length)).toEqual([9, 62, 62]); // the service's are of 8 days
    const days = countFreeSlotsByDay(offer, occupancy, { first, last, participants: 1, now });
    expect([days.size, days.get(first)]).toEqual([62, 8]);
  });

  it("reads one row for each range when the service has no staff and no resources", async () => {
    const ctx = contextFor(shop);
    const range = occupancyRangeOfDays(offer, { first, last });
    const unstaffed = { ...offer, staff: null, resources: [] };
    const { rowsRead } = await measureD1Usage(() => findOccupancy(ctx, unstaffed, { range, now }));
    expect(rowsRead).toBeGreaterThanOrEqual(62 * 8);
    expect(rowsRead).toBeLessThan(62 * 8 + 100);
  });

  it("is searched by index within the time range", async () => {
    const range = occupancyRangeOfDays(offer, { first, last });
    const plans = await Promise.all(
      occupancyQueries(contextFor(shop), offer, { range, now }).map((query) =>
        readQueryPlan(query.toSQL()),
      ),
    );
    const ranged = (index: string, columns: string) => [
      `SEARCH ${index} (${columns} AND starts_at>? AND starts_at<?)`,
    ];
    const searches = plans.map((plan) => plan.filter((step) => step.startsWith("SEARCH ")));
    expect(searches).toEqual([
      ranged("occupied USING PRIMARY KEY", "business_id=? AND service_id=? AND location_id=?"),
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

it("finds the allocations of a slot except for some by index within the maximum length", async () => {
  const range = { start, end: start + day };
  const [service] = occupancyQueries(contextFor(shop), offer, { range, now, exceptIds: ["bk_1"] });
  const plan = await readQueryPlan(service.toSQL());
  expect(plan.filter((step) => step.startsWith("SEARCH "))).toEqual([
    "SEARCH occupied USING INDEX slot_claims_by_service (service_id=? AND business_id=? AND location_id=? AND starts_at>? AND starts_at<?)",
  ]);
});

it("finds conflicting allocations by index within the maximum length", async () => {
  const plan = await readQueryPlan({
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

it("changes holds and bookings without scanning those of the business", async () => {
  const { ctx, plans } = createPlanRecorder();
  const holds = slotHoldRepo(ctx);
  const bookings = bookingRepo(ctx);
  await commit(ctx, {
    writes: [
      ...bookings.insert([newBooking()], now),
      holds.lowerParticipants("hold", { participants: 1, now }),
      holds.release(["hold"]),
      bookings.update(newBooking().booking),
      bookings.releaseSlot("bk_1"),
      bookings.confirmAll(["ord_1"], now),
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
    plans.filter((step) => /^SCAN (slot_claim|bookings|other|cancelled|allocated)/.test(step)),
  ).toEqual([]);
});

/** A booking of a service with staff. */
function newBooking(): NewBooking {
  const { service, location, staff, resources } = offer;
  const hour = 3_600_000;
  const allocation = {
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
    cancellationNoticeMinutes: 0,
    createdAt: now,
    updatedAt: now,
    version: 1,
  } as const;
  return { booking, allocation, holdId: "hold" };
}

/** Creates a context that writes nothing and records the query plan of each statement. */
function createPlanRecorder() {
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

it.each(["staff", "resources"])("lists %s by index without sorting", async (table) => {
  const sql = `select * from ${table} where business_id = ? and archived_at is null and id > ? order by id limit 20`;
  const plan = await readQueryPlan({ sql, params: ["biz", "a"] });
  expect(plan).toEqual([
    `SEARCH ${table} USING INDEX ${table}_by_business (business_id=? AND id>?)`,
  ]);
});

/** Reads the steps of a query plan that search, scan or sort a table. */
async function readQueryPlan({
  sql,
  params,
}: {
  sql: string;
  params: unknown[];
}): Promise<string[]> {
  const rows = await selectRows(shop, `explain query plan ${sql}`, ...params);
  return rows
    .map(({ detail }) => String(detail))
    .filter((step) => /^(SEARCH|SCAN) (?!json_each)|TEMP B-TREE/.test(step));
}

import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit, shardsOf, shopOf, type Write } from "../../shared/database/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  type BookableService,
  bookingRepo,
  cancelBookingsOfOrders,
  findBookableService,
  findOccupancy,
  type NewBooking,
  occupancyRangeOfSlot,
  purgeHolds,
  type SlotOffer,
  slotHoldRepo,
  slotHoldTtlMs,
  slotOfferFor,
} from "../../shared/scheduling/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import { createRecord, createService, day, hour } from "./create-service.ts";

// Set MODEL_RUNS=1000 for a long run, and MODEL_SEED and MODEL_PATH as a failure prints them.
const {
  MODEL_RUNS: runs = "30",
  MODEL_SEED: seed = "20261124",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

const noLimit = 3_600_000;

let shop: CreatedBusiness;
let offers: readonly SlotOffer[];

beforeAll(async () => {
  shop = await createBusiness();
  const ann = await createRecord(shop, "/staff", { name: "Ann" });
  const room = await createRecord(shop, "/resources", { name: "Room", capacity: 5 });
  const ids = [
    await createService(shop, { capacity: 4, resource_ids: [room] }),
    await createService(shop, { capacity: 3, staff_ids: [ann], buffer_minutes: 15 }),
  ];
  const found = await Promise.all(ids.map((id) => findBookableService(contextFor(shop), id)));
  const preferences = { variantId: null, locationId: null, staffId: null };
  offers = found.flatMap(({ data }: { data: BookableService | null }) =>
    data ? [slotOfferFor(data, preferences, shop.business)] : [],
  );
  expect(offers).toHaveLength(2);
});

/** Few lines and slots, so that changes often meet the same hold, booking and range. */
const line = fc.nat(1);
const slot = fc.record({ service: fc.nat(1), halfHour: fc.nat(1), participants: fc.nat(1) });

const changesOfType = (...types: readonly string[]) =>
  fc.record({ type: fc.constantFrom(...types), line, slot });

/** A change of the lines of a cart, each of which may have a hold and a booking. */
const change = fc.oneof(
  { arbitrary: changesOfType("hold", "book"), weight: 4 },
  { arbitrary: changesOfType("move", "lower", "release", "cancel", "cancelOrder"), weight: 3 },
  { arbitrary: changesOfType("wait", "expire", "purge"), weight: 2 },
);
type SlotChange = typeof change extends fc.Arbitrary<infer T> ? T : never;

let sequences = 0;

/** Creates the writes of changes, at times and with ids of their own. */
function createChanges() {
  sequences += 1;
  const name = `${sequences}`;
  const clock = { now: sequences * 30 * day };
  const start = clock.now + day;
  const ctx = contextFor(shop);
  const [holds, bookings] = [slotHoldRepo(ctx), bookingRepo(ctx)];
  const holdId = (index: number) => `hold_${name}_${index}`;
  const bookingId = (index: number) => `bk_${name}_${index}`;

  const allocationOf = ({ service, halfHour, participants }: SlotChange["slot"]) => {
    const offer = offers[service];
    if (!offer) throw new Error("The service does not exist.");
    const startsAt = start + (halfHour * hour) / 2;
    return {
      serviceId: offer.service.id,
      locationId: offer.location.id,
      staffIds: offer.staff?.map(({ id }) => id) ?? null,
      resourceIds: offer.resources.map(({ id }) => id),
      participants: participants + 1,
      capacity: offer.capacity,
      startsAt,
      endsAt: startsAt + hour,
      occupiedUntil: startsAt + hour + offer.bufferMinutes * minute,
    };
  };

  const newBooking = (index: number, allocation: NewBooking["allocation"]): NewBooking => ({
    holdId: holdId(index),
    allocation,
    booking: {
      id: bookingId(index),
      orderId: `ord_${name}_${index}`,
      lineItemId: `li_${name}_${index}`,
      serviceId: allocation.serviceId,
      serviceName: "Massage",
      variantId: null,
      staffId: null,
      locationId: allocation.locationId,
      startTime: allocation.startsAt,
      endTime: allocation.endsAt,
      participantCount: allocation.participants,
      status: "pending",
      customerId: null,
      cancelledAt: null,
      cancellationReason: null,
      rescheduledFrom: null,
      cancellationNoticeMinutes: 0,
      createdAt: clock.now,
      updatedAt: clock.now,
      version: 1,
    },
  });

  function writesOf({ type, line: index, slot: requested }: SlotChange): readonly Write[] {
    const allocation = allocationOf(requested);
    const { booking } = newBooking(index, allocation);
    const at = clock.now;
    switch (type) {
      case "hold": {
        const limits = { holdsPerSession: 10, perAddress: 10 };
        const owner = { sessionId: `ses_${name}`, addressDigest: "digest" };
        return [holds.hold(holdId(index), { ...owner, allocation, at, limits })];
      }
      case "book":
        return bookings.insert([newBooking(index, allocation)], at);
      case "move":
        return bookings.move(booking, { allocation, at });
      case "lower":
        return [
          holds.lowerParticipants(holdId(index), {
            participants: allocation.participants,
            now: at,
          }),
        ];
      case "release":
        return [holds.release([holdId(index)])];
      case "cancel":
        return [bookings.releaseSlot(booking.id)];
      case "cancelOrder":
        return cancelBookingsOfOrders(
          ctx.db,
          [{ id: booking.orderId, businessId: shop.business.id }],
          { reason: "unpaid", at },
        );
      case "purge":
        return [purgeHolds(ctx.db, at)];
      default:
        clock.now += type === "wait" ? minute : slotHoldTtlMs;
        return [];
    }
  }

  return { ctx, clock, start, bookingId, writesOf };
}

const keyColumns = "service_id, location_id, starts_at, occupied_until";

const claimedRanges = () =>
  selectRows(
    shop,
    `select ${keyColumns}, ifnull(expires_at, 0) as expires, sum(participants) as participants
      from slot_claims where business_id = ? group by ${keyColumns}, expires order by ${keyColumns}, expires`,
    shop.business.id,
  );

const storedRanges = () =>
  selectRows(
    shop,
    `select ${keyColumns}, expires_at as expires, participants
      from occupied_ranges where business_id = ? order by ${keyColumns}, expires`,
    shop.business.id,
  );

/** The participants of a service's live allocations that overlap a time, except for one allocation. */
async function countClaimed(
  { service, location }: SlotOffer,
  { start, end }: Readonly<{ start: number; end: number }>,
  { now, exceptId }: Readonly<{ now: number; exceptId: string }>,
): Promise<number> {
  const [row] = await selectRows(
    shop,
    `select coalesce(sum(participants), 0) as participants from slot_claims
      where service_id = ? and location_id = ? and starts_at < ? and occupied_until > ?
        and (expires_at is null or expires_at > ?) and id <> ?`,
    ...[service.id, location.id, end, start, now, exceptId],
  );
  return Number(row?.participants);
}

it("has the sums of the slot claims after any sequence of changes", {
  timeout: noLimit,
}, async () => {
  let succeeded = 0;
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 10, maxLength: 20 }),
    async (changes) => {
      const { ctx, clock, start, bookingId, writesOf } = createChanges();
      for (const one of changes) {
        const writes = writesOf(one);
        if (writes.length > 0) {
          const result = await commit(ctx, { writes: [...writes] }).catch(() => null);
          succeeded += result === null ? 0 : 1;
        }
        expect(await storedRanges(), JSON.stringify(one)).toEqual(await claimedRanges());
      }
      for (const offer of offers) {
        const range = occupancyRangeOfSlot(offer, start + hour / 2);
        for (const exceptId of ["", bookingId(0)]) {
          const { now } = clock;
          const window = { range, now, ...(exceptId !== "" && { exceptIds: [exceptId] }) };
          const { service } = await findOccupancy(ctx, offer, window);
          expect(service.reduce((sum, { participants }) => sum + participants, 0)).toBe(
            await countClaimed(offer, range, { now, exceptId }),
          );
        }
      }
    },
  );
  await fc.assert(property, { numRuns: Number(runs), seed: Number(seed), ...(path && { path }) });
  expect(succeeded).toBeGreaterThan(Number(runs));
});

it("is one range for each start and end, also when allocations are left out", async () => {
  const { ctx, clock, start, bookingId, writesOf } = createChanges();
  const slot = { service: 0, halfHour: 0, participants: 0 };
  for (const line of [0, 1, 2])
    await commit(ctx, { writes: [...writesOf({ type: "book", line, slot })] });
  const [offer] = offers;
  if (!offer) throw new Error("There is no offer.");
  const range = occupancyRangeOfSlot(offer, start + hour / 2);
  const window = { range, now: clock.now, exceptIds: [bookingId(9)] };
  const { service } = await findOccupancy(ctx, offer, window);
  expect(service).toHaveLength(1);
});

it("is filled with the existing slot claims by its migration", async () => {
  const { ctx, writesOf } = createChanges();
  const requested = { service: 0, halfHour: 0, participants: 0 };
  for (const [index, type] of ["hold", "book", "hold"].entries())
    await commit(ctx, { writes: [...writesOf({ type, line: index, slot: requested })] });
  const expected = await claimedRanges();
  expect(expected.length).toBeGreaterThanOrEqual(2);

  const migration = env.SHOP_MIGRATIONS.find(({ name }) => name.includes("occupied_ranges"));
  const database = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const created = migration?.queries.join("").match(/CREATE TRIGGER `\w+`/g) ?? [];
  expect(created).toHaveLength(3);
  await database.batch(
    [
      ...created.map((text) => text.replace("CREATE", "DROP")),
      "DROP TABLE occupied_ranges",
      ...(migration?.queries ?? []),
    ].map((query) => database.prepare(query)),
  );
  expect(await storedRanges()).toEqual(expected);
});

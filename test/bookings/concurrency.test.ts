import { beforeEach, describe, expect, it, vi } from "vitest";
import { selectRows } from "../support/select-rows.ts";
import { type ApiResponse, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cash,
  checkOut,
  createBooking,
  createBookingShop,
  createResource,
  createService,
  createStaffMember,
  requireData,
  ruleOf,
} from "./create-booking.ts";

const shoppers = 10;

let shop: BookingShop;

beforeEach(async () => {
  shop = await createBookingShop();
});

const isSuccess = ({ status }: ApiResponse) => status === 200;

/** Returns the successful responses; all others must be SLOT_UNAVAILABLE. */
function expectSlotsGoneOtherwise(answers: readonly ApiResponse[]): ApiResponse[] {
  for (const answer of answers.filter((one) => !isSuccess(one))) {
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
  }
  return answers.filter(isSuccess);
}

type SlotAllocationRow = Readonly<{
  service_id: string;
  location_id: string;
  staff_id: string | null;
  resource_ids: string;
  participants: number;
  capacity: number;
  starts_at: number;
  occupied_until: number;
}>;

/** Checks at every start that services, staff and resources are not overbooked. */
async function expectNoLimitExceeded(): Promise<void> {
  const allocations = (await selectRows(
    shop,
    "select * from slot_claims where business_id = ? and (expires_at is null or expires_at > ?)",
    shop.business.id,
    Date.now(),
  )) as SlotAllocationRow[];
  const resources = await selectRows(
    shop,
    "select id, capacity from resources where business_id = ?",
    shop.business.id,
  );
  for (const { starts_at: moment } of allocations) {
    const then = allocations.filter(
      (one) => one.starts_at <= moment && moment < one.occupied_until,
    );
    const taken = (own: readonly SlotAllocationRow[]) =>
      own.reduce((sum, { participants }) => sum + participants, 0);
    for (const { capacity, ...one } of then) {
      const same = then.filter(
        (other) => other.service_id === one.service_id && other.location_id === one.location_id,
      );
      expect(taken(same), "capacity of a service").toBeLessThanOrEqual(capacity);
      const sessions = then
        .filter(({ staff_id }) => staff_id !== null && staff_id === one.staff_id)
        .map((other) => [other.service_id, other.location_id, other.starts_at].join());
      expect(new Set(sessions).size, "sessions of a staff member").toBeLessThanOrEqual(1);
    }
    for (const { id, capacity } of resources) {
      const users = then.filter(({ resource_ids }) => resource_ids.includes(String(id)));
      expect(taken(users), "users of a resource").toBeLessThanOrEqual(Number(capacity));
    }
  }
  const lost = await selectRows(
    shop,
    `select id from bookings where business_id = ? and status in ('pending', 'confirmed')
       and id not in (select id from slot_claims)`,
    shop.business.id,
  );
  expect(lost).toEqual([]);
}

const forEachShopper = <T>(of: (index: number) => T): T[] =>
  Array.from({ length: shoppers }, (_, i) => of(i));

describe("many shoppers at the last capacity of a slot", () => {
  it.each<[string, number, () => Promise<object>]>([
    ["capacity", 5, async () => ({ capacity: 5 })],
    ["resources", 3, async () => ({ capacity: 50, resource_ids: [await createResource(shop, 3)] })],
    [
      "staff",
      1,
      async () => ({
        capacity: 1,
        staff_ids: [await createStaffMember(shop), await createStaffMember(shop)],
      }),
    ],
  ])("never hold or book more than its %s", async (_, capacity, fields) => {
    const service = await createService(shop, await fields());
    const asks = forEachShopper(() => shopper(shop));
    const held = await Promise.all(asks.map((ask) => addSlotToCart(ask, service, at(9))));
    expect(expectSlotsGoneOtherwise(held)).toHaveLength(capacity);
    await expectNoLimitExceeded();
    vi.setSystemTime(Date.now() + 11 * 60_000); // all holds have expired, so every cart with a line competes
    const late = asks.filter((_, index) => held[index]?.status !== 200);
    await Promise.all(late.map((ask) => addSlotToCart(ask, service, at(9))));
    vi.setSystemTime(Date.now() + 11 * 60_000);
    const withLine = await Promise.all(
      asks.map(async (ask) =>
        (await requireData(ask("GET", "/cart"))).items.length > 0 ? [ask] : [],
      ),
    );
    const ready = withLine.flat();
    expect(ready.length).toBeGreaterThan(capacity);
    const booked = await Promise.all(ready.map((ask) => checkOut(ask, cash)));
    expect(expectSlotsGoneOtherwise(booked)).toHaveLength(capacity);
    await expectNoLimitExceeded();
    const [sum] = await selectRows(
      shop,
      "select sum(participant_count) as taken from bookings where business_id = ?",
      shop.business.id,
    );
    expect(sum).toEqual({ taken: capacity });
  });

  it("share staff between services without double bookings", async () => {
    const staff_ids = [
      await createStaffMember(shop),
      await createStaffMember(shop),
      await createStaffMember(shop),
    ];
    const services = await Promise.all(
      [60, 90, 120, 30].map((duration_minutes, index) =>
        createService(shop, {
          name: `Service ${index}`,
          staff_ids,
          duration_minutes,
          slot_interval_minutes: 30,
        }),
      ),
    );
    const answers = await Promise.all(
      forEachShopper((index) =>
        addSlotToCart(shopper(shop), services[index % services.length], at(9, (index % 3) * 30)),
      ),
    );
    expect(expectSlotsGoneOtherwise(answers).length).toBeGreaterThanOrEqual(staff_ids.length);
    await expectNoLimitExceeded();
  });
});

describe("concurrent cart additions, checkouts and reschedules", () => {
  it("never exceed the capacity of a slot", async () => {
    const room = await createResource(shop, 4);
    const service = await createService(shop, { capacity: 3, resource_ids: [room] });
    const other = await createService(shop, { name: "Yoga", capacity: 4, resource_ids: [room] });
    const movers = await Promise.all(
      [11, 12, 13, 14].map((hour) => createBooking(shop, service, { when: at(hour) })),
    );
    const ready = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const ask = shopper(shop);
        await requireData(
          addSlotToCart(ask, index % 2 === 0 ? service : other, at(15 + (index >> 1))),
        );
        return ask;
      }),
    );
    const answers = await Promise.all([
      ...movers.map(({ ask, orderId, token, booking }) =>
        ask("POST", `/scheduling/bookings/reschedule?token=${token}`, {
          body: {
            order_id: orderId,
            line_item_id: booking.line_item_id,
            new_start_time: at(9),
            new_end_time: at(10),
          },
        }),
      ),
      ...forEachShopper((index) =>
        addSlotToCart(shopper(shop), index % 2 === 0 ? service : other, at(9)),
      ),
      ...ready.map((ask) => checkOut(ask, cash)),
    ]);
    expectSlotsGoneOtherwise(answers);
    await expectNoLimitExceeded();
    const [sum] = await selectRows(
      shop,
      "select sum(participants) as taken from slot_claims where business_id = ? and starts_at = ?",
      shop.business.id,
      Date.parse(at(9)),
    );
    expect(sum).toEqual({ taken: 4 });
  });
});

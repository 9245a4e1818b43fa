import { beforeEach, describe, expect, it, vi } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, shopper } from "../support/world.ts";
import {
  at,
  book,
  cash,
  checkOut,
  givenBooking,
  givenResource,
  givenService,
  givenShop,
  givenStaff,
  had,
  ruleOf,
  type Shop,
} from "./given.ts";

const shoppers = 10;

let shop: Shop;

beforeEach(async () => {
  shop = await givenShop();
});

const isDone = ({ status }: Answer) => status === 200;

/** Every answer is a success, or says that the slot is gone. */
function doneOf(answers: readonly Answer[]): Answer[] {
  for (const answer of answers.filter((one) => !isDone(one))) {
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
  }
  return answers.filter(isDone);
}

type Claim = Readonly<{
  service_id: string;
  location_id: string;
  staff_id: string | null;
  resource_ids: string;
  participants: number;
  capacity: number;
  starts_at: number;
  occupied_until: number;
}>;

/** What no moment may hold: what is taken then, of each service, staff member and resource, against what there is. */
async function expectNothingBreached(): Promise<void> {
  const claims = (await rowsOf(
    shop,
    "select * from slot_claims where business_id = ? and (expires_at is null or expires_at > ?)",
    shop.business.id,
    Date.now(),
  )) as Claim[];
  const resources = await rowsOf(
    shop,
    "select id, capacity from resources where business_id = ?",
    shop.business.id,
  );
  for (const { starts_at: moment } of claims) {
    const then = claims.filter((one) => one.starts_at <= moment && moment < one.occupied_until);
    const taken = (own: readonly Claim[]) =>
      own.reduce((sum, { participants }) => sum + participants, 0);
    for (const { capacity, ...one } of then) {
      const same = then.filter(
        (other) => other.service_id === one.service_id && other.location_id === one.location_id,
      );
      expect(taken(same), "places of a service").toBeLessThanOrEqual(capacity);
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
  const lost = await rowsOf(
    shop,
    `select id from bookings where business_id = ? and status in ('pending', 'confirmed')
       and id not in (select id from slot_claims)`,
    shop.business.id,
  );
  expect(lost).toEqual([]);
}

const many = <T>(of: (index: number) => T): T[] =>
  Array.from({ length: shoppers }, (_, i) => of(i));

describe("many shoppers for the last places of a slot", () => {
  it.each<[string, number, () => Promise<object>]>([
    ["capacity", 5, async () => ({ capacity: 5 })],
    ["resources", 3, async () => ({ capacity: 50, resource_ids: [await givenResource(shop, 3)] })],
    [
      "staff",
      1,
      async () => ({ capacity: 1, staff_ids: [await givenStaff(shop), await givenStaff(shop)] }),
    ],
  ])("never hold, nor book, more than its %s", async (_, places, fields) => {
    const service = await givenService(shop, await fields());
    const asks = many(() => shopper(shop));
    const held = await Promise.all(asks.map((ask) => book(ask, service, at(9))));
    expect(doneOf(held)).toHaveLength(places);
    await expectNothingBreached();
    vi.setSystemTime(Date.now() + 11 * 60_000); // no hold counts any more: all that have a line race
    const late = asks.filter((_, index) => held[index]?.status !== 200);
    await Promise.all(late.map((ask) => book(ask, service, at(9))));
    vi.setSystemTime(Date.now() + 11 * 60_000);
    const withLine = await Promise.all(
      asks.map(async (ask) => ((await had(ask("GET", "/cart"))).items.length > 0 ? [ask] : [])),
    );
    const ready = withLine.flat();
    expect(ready.length).toBeGreaterThan(places);
    const booked = await Promise.all(ready.map((ask) => checkOut(ask, cash)));
    expect(doneOf(booked)).toHaveLength(places);
    await expectNothingBreached();
    const [sum] = await rowsOf(
      shop,
      "select sum(participant_count) as taken from bookings where business_id = ?",
      shop.business.id,
    );
    expect(sum).toEqual({ taken: places });
  });

  it("share staff between services without ever asking anybody to be in two places", async () => {
    const staff_ids = [await givenStaff(shop), await givenStaff(shop), await givenStaff(shop)];
    const services = await Promise.all(
      [60, 90, 120, 30].map((duration_minutes, index) =>
        givenService(shop, {
          name: `Service ${index}`,
          staff_ids,
          duration_minutes,
          slot_interval_minutes: 30,
        }),
      ),
    );
    const answers = await Promise.all(
      many((index) =>
        book(shopper(shop), services[index % services.length], at(9, (index % 3) * 30)),
      ),
    );
    expect(doneOf(answers).length).toBeGreaterThanOrEqual(staff_ids.length);
    await expectNothingBreached();
  });
});

describe("adds, checkouts and moves at once", () => {
  it("never put more into a slot than fits, wherever they come from", async () => {
    const room = await givenResource(shop, 4);
    const service = await givenService(shop, { capacity: 3, resource_ids: [room] });
    const other = await givenService(shop, { name: "Yoga", capacity: 4, resource_ids: [room] });
    const movers = await Promise.all(
      [11, 12, 13, 14].map((hour) => givenBooking(shop, service, { when: at(hour) })),
    );
    const ready = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const ask = shopper(shop);
        await had(book(ask, index % 2 === 0 ? service : other, at(15 + (index >> 1))));
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
      ...many((index) => book(shopper(shop), index % 2 === 0 ? service : other, at(9))),
      ...ready.map((ask) => checkOut(ask, cash)),
    ]);
    doneOf(answers);
    await expectNothingBreached();
    const [sum] = await rowsOf(
      shop,
      "select sum(participants) as taken from slot_claims where business_id = ? and starts_at = ?",
      shop.business.id,
      Date.parse(at(9)),
    );
    expect(sum).toEqual({ taken: 4 });
  });
});

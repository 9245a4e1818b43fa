import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ScheduleRule, scheduleDays } from "../../shared/catalogue/index.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { call, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  dataOf,
  givenBundle,
  givenComposite,
  givenProduct,
  givenStock,
  givenVariant,
} from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let home: string;
let unlisted: { id: string }[];

const rule = (about: Partial<ScheduleRule> = {}): ScheduleRule => ({
  id: "rule_1",
  locationId: null,
  days: scheduleDays,
  startTime: "00:00",
  endTime: "24:00",
  timezone: "Africa/Accra",
  startsOn: null,
  endsOn: null,
  ...about,
});

const get = (path: string) => shopper(shop)("GET", `/catalogue/products/${path}`);
const nowAt = (id: string, location = home) => get(`${id}/available-now?location_id=${location}`);

beforeAll(async () => {
  shop = await givenBusiness();
  home = shop.business.locations[0]?.id ?? "";
  unlisted = [
    await givenProduct(shop, { isActive: false }),
    await givenProduct(await givenNeighbour(shop)),
    { id: "prod_unknown" },
  ];
});

describe("GET /catalogue/products/{product_id}/schedules", () => {
  it("answers the rules, from memory the second time", async () => {
    const { id } = await givenProduct(shop, { schedules: [rule({ locationId: home })] });
    const answer = await get(`${id}/schedules`);
    expect(dataOf(answer)).toEqual([
      {
        id: "rule_1",
        product_id: id,
        location_id: home,
        days: [...scheduleDays],
        start_time: "00:00",
        end_time: "24:00",
        timezone: "Africa/Accra",
        starts_on: null,
        ends_on: null,
      },
    ]);
    expect(roundTrips(await get(`${id}/schedules`)).d1).toBe(0);
  });

  it("does not find what the public cannot see, and wants a key", async () => {
    for (const { id } of unlisted) expect((await get(`${id}/schedules`)).status).toBe(404);
    expect((await call("GET", "/api/v1/catalogue/products/x/schedules")).status).toBe(401);
  });
});

describe("GET /catalogue/products/{product_id}/available-now", () => {
  const available = { is_available: true, reason: null, next_available_at: null };
  const outside = { is_available: false, reason: "OUTSIDE_SCHEDULE", next_available_at: null };
  const sold = { is_available: false, reason: "OUT_OF_STOCK", next_available_at: null };

  it.each([
    ["no rule", [], available],
    ["a rule for every place", [rule()], available],
    ["a rule that has ended", [rule({ endsOn: "2020-01-01" })], outside],
    [
      "a rule that is still to start",
      [rule({ startsOn: "2099-01-01", startTime: "09:30" })],
      { ...outside, next_available_at: "2099-01-01T09:30:00.000Z" },
    ],
    ["another place's rule alone", [rule({ locationId: "loc_other" })], outside],
    [
      "one rule of several",
      [rule({ endsOn: "2020-01-01" }), rule({ locationId: "loc_other" }), rule()],
      available,
    ],
  ])("goes by %s", async (_what, schedules, expected) => {
    const { id } = await givenProduct(shop, { schedules });
    const answer = await nowAt(id);
    expect(dataOf(answer)).toEqual(expected);
    expect(roundTrips(answer).d1).toBe(1);
  });

  it("goes by the stock of the location, as it is", async () => {
    const counted = await givenProduct(shop, { inventoryType: "tracked", slug: "counted" });
    expect(dataOf(await nowAt(counted.id))).toEqual(sold);
    await givenStock(shop, counted, { onHand: 3, reserved: 2 });
    expect(dataOf(await nowAt(counted.id))).toEqual(available);
    expect(dataOf(await nowAt("counted"))).toEqual(available);

    const shirt = await givenProduct(shop, { inventoryType: "variant_level" });
    const small = await givenVariant(shop, shirt);
    await givenStock(shop, shirt, { itemId: small.id, onHand: 2, reserved: 2 });
    expect(dataOf(await nowAt(shirt.id))).toEqual(sold);
    const large = await givenVariant(shop, shirt, { position: 1 });
    await givenStock(shop, shirt, { itemId: large.id, onHand: 1 });
    expect(dataOf(await nowAt(shirt.id))).toEqual(available);
  });

  it("goes by what a bundle or a composite is made of", async () => {
    const tea = await givenProduct(shop, { inventoryType: "tracked" });
    const box = await givenProduct(shop, { productType: "bundle", slug: "box" });
    const inBox = { name: "Tea", productId: tea.id, defaultVariantId: null, isSwappable: false };
    await givenBundle(shop, box, [{ ...inBox, componentId: "part", quantity: 2 }]);
    const tray = await givenProduct(shop, { productType: "composite" });
    const components = [{ componentId: "cup", name: "Cup", priceMinor: 0, productId: tea.id }];
    const group = { id: "grp_1", name: "Cups", minSelections: 3, maxSelections: 9, components };
    await givenComposite(shop, tray, { basePriceMinor: 0, groups: [group] });
    expect(dataOf(await nowAt(box.id))).toEqual(sold);

    await givenStock(shop, tea, { onHand: 2 });
    const answer = await nowAt("box");
    expect(dataOf(answer)).toEqual(available);
    expect(roundTrips(answer).d1).toBe(1);
    expect(dataOf(await nowAt(tray.id))).toEqual(sold);
  });

  it("wants a location, and one of the business", async () => {
    const { id } = await givenProduct(shop);
    expect((await get(`${id}/available-now`)).status).toBe(400);
    expect((await nowAt(id, "loc_unknown")).status).toBe(404);
  });

  it("does not find what the public cannot see, and wants a key", async () => {
    for (const { id } of unlisted) expect((await nowAt(id)).status).toBe(404);
    expect((await call("GET", "/api/v1/catalogue/products/x/available-now")).status).toBe(401);
  });
});

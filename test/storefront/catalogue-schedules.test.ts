import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { ScheduleRule } from "../../shared/catalogue/index.ts";
import { weekdays } from "../../shared/kernel/index.ts";
import {
  call,
  createBusiness,
  createBusinessOnSameShard,
  roundTrips,
  shopper,
} from "../support/world.ts";
import {
  createBundleRow,
  createCompositeRow,
  createProductRow,
  createStockLevelRow,
  createVariantRow,
  requireData,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let home: string;
let hidden: { id: string }[];

const rule = (fields: Partial<ScheduleRule> = {}): ScheduleRule => ({
  id: "rule_1",
  locationId: null,
  days: weekdays,
  startTime: "00:00",
  endTime: "24:00",
  timezone: "Africa/Accra",
  startsOn: null,
  endsOn: null,
  ...fields,
});

const get = (path: string) => shopper(shop)("GET", `/catalogue/products/${path}`);
const getAvailability = (id: string, location = home) =>
  get(`${id}/available-now?location_id=${location}`);

beforeAll(async () => {
  shop = await createBusiness();
  home = shop.business.locations[0]?.id ?? "";
  hidden = [
    await createProductRow(shop, { isActive: false }),
    await createProductRow(await createBusinessOnSameShard(shop)),
    { id: "prod_unknown" },
  ];
});

describe("GET /catalogue/products/{product_id}/schedules", () => {
  it("lists the rules, the second time from the cache", async () => {
    const { id } = await createProductRow(shop, { schedules: [rule({ locationId: home })] });
    const answer = await get(`${id}/schedules`);
    expect(requireData(answer)).toEqual([
      {
        id: "rule_1",
        product_id: id,
        location_id: home,
        days: [...weekdays],
        start_time: "00:00",
        end_time: "24:00",
        timezone: "Africa/Accra",
        starts_on: null,
        ends_on: null,
      },
    ]);
    expect(roundTrips(await get(`${id}/schedules`)).d1).toBe(0);
  });

  it("does not find products that are not public, and requires a key", async () => {
    for (const { id } of hidden) expect((await get(`${id}/schedules`)).status).toBe(404);
    expect((await call("GET", "/api/v1/catalogue/products/x/schedules")).status).toBe(401);
  });
});

describe("GET /catalogue/products/{product_id}/available-now", () => {
  const available = { is_available: true, reason: null, next_available_at: null };
  const outside = { is_available: false, reason: "OUTSIDE_SCHEDULE", next_available_at: null };
  const soldOut = { is_available: false, reason: "OUT_OF_STOCK", next_available_at: null };

  it.each([
    ["no rule", [], available],
    ["a rule for all locations", [rule()], available],
    ["a rule that has ended", [rule({ endsOn: "2020-01-01" })], outside],
    [
      "a rule that starts later",
      [rule({ startsOn: "2099-01-01", startTime: "09:30" })],
      { ...outside, next_available_at: "2099-01-01T09:30:00.000Z" },
    ],
    ["only another location's rule", [rule({ locationId: "loc_other" })], outside],
    [
      "one of several rules",
      [rule({ endsOn: "2020-01-01" }), rule({ locationId: "loc_other" }), rule()],
      available,
    ],
  ])("applies %s", async (_what, schedules, expected) => {
    const { id } = await createProductRow(shop, { schedules });
    const answer = await getAvailability(id);
    expect(requireData(answer)).toEqual(expected);
    expect(roundTrips(answer).d1).toBe(1);
  });

  it("applies the location's current stock", async () => {
    const counted = await createProductRow(shop, { inventoryType: "tracked", slug: "counted" });
    expect(requireData(await getAvailability(counted.id))).toEqual(soldOut);
    await createStockLevelRow(shop, counted, { onHand: 3, reserved: 2 });
    expect(requireData(await getAvailability(counted.id))).toEqual(available);
    expect(requireData(await getAvailability("counted"))).toEqual(available);

    const shirt = await createProductRow(shop, { inventoryType: "variant_level" });
    const small = await createVariantRow(shop, shirt);
    await createStockLevelRow(shop, shirt, { itemId: small.id, onHand: 2, reserved: 2 });
    expect(requireData(await getAvailability(shirt.id))).toEqual(soldOut);
    const large = await createVariantRow(shop, shirt, { position: 1 });
    await createStockLevelRow(shop, shirt, { itemId: large.id, onHand: 1 });
    expect(requireData(await getAvailability(shirt.id))).toEqual(available);
  });

  it("applies the stock of a bundle's or composite's components", async () => {
    const tea = await createProductRow(shop, { inventoryType: "tracked" });
    const box = await createProductRow(shop, { productType: "bundle", slug: "box" });
    const inBox = { name: "Tea", productId: tea.id, defaultVariantId: null, isSwappable: false };
    await createBundleRow(shop, box, [{ ...inBox, componentId: "part", quantity: 2 }]);
    const tray = await createProductRow(shop, { productType: "composite" });
    const components = [{ componentId: "cup", name: "Cup", priceMinor: 0, productId: tea.id }];
    const group = { id: "grp_1", name: "Cups", minSelections: 3, maxSelections: 9, components };
    await createCompositeRow(shop, tray, { basePriceMinor: 0, groups: [group] });
    expect(requireData(await getAvailability(box.id))).toEqual(soldOut);

    await createStockLevelRow(shop, tea, { onHand: 2 });
    const answer = await getAvailability("box");
    expect(requireData(answer)).toEqual(available);
    expect(roundTrips(answer).d1).toBe(1);
    expect(requireData(await getAvailability(tray.id))).toEqual(soldOut);
  });

  it("requires a location of the business", async () => {
    const { id } = await createProductRow(shop);
    expect((await get(`${id}/available-now`)).status).toBe(400);
    expect((await getAvailability(id, "loc_unknown")).status).toBe(404);
  });

  it("does not find products that are not public, and requires a key", async () => {
    for (const { id } of hidden) expect((await getAvailability(id)).status).toBe(404);
    expect((await call("GET", "/api/v1/catalogue/products/x/available-now")).status).toBe(401);
  });
});

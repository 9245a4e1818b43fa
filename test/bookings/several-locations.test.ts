import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bookAtFreeLocation } from "../../shared/cart/booking-location.ts";
import { minute } from "../../shared/kernel/index.ts";
import { findBookableService, slotUnavailable } from "../../shared/scheduling/index.ts";
import { createProduct } from "../support/create-product.ts";
import { contextFor, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  checkOut,
  createBooking,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
  requireData,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let home: string;
let second: string;
let ask: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  home = shop.business.locations[0]?.id ?? "";
  second = await createLocation("Second");
  ask = shopper(shop);
  vi.setSystemTime(Date.now() + minute); // isolates cache locations for a few seconds
});

/** Creates a location that is open from 8:00 to 18:00, as the default one is. */
async function createLocation(name: string): Promise<string> {
  const { id } = await requireData(merchant(shop)("POST", "/locations", { body: { name } }));
  const hours = JSON.stringify(shop.business.locations[0]?.operatingHours);
  await env.CORE.prepare("update locations set operating_hours = ? where id = ?")
    .bind(hours, id)
    .run();
  return String(id);
}

const createServiceOf = (locations: readonly string[], fields: object = {}) =>
  createService(shop, { location_ids: locations, ...fields });

const locationOf = (answer: Awaited<ReturnType<typeof addSlotToCart>>) =>
  dataOf(answer).item?.location_id;

describe("a service at several locations, booked without a location", () => {
  it("is booked at the default location when the slot is free there", async () => {
    const service = await createServiceOf([second, home]);
    const answer = await addSlotToCart(ask, service, at(9));
    expect(locationOf(answer)).toBe(home);
    expect(roundTrips(await addSlotToCart(shopper(shop), service, at(10))).d1).toBe(3);
    expect((await requireData(checkOut(ask))).order_id).toMatch(/^ord_/);
  });

  it("is booked at another location when the default one is full or closed", async () => {
    const service = await createServiceOf([home, second]);
    await createBooking(shop, service, { fields: { location_id: home } });
    expect(locationOf(await addSlotToCart(ask, service, at(9)))).toBe(second);
    await env.CORE.prepare("update locations set operating_hours = '{}' where id = ?")
      .bind(home)
      .run();
    vi.setSystemTime(Date.now() + minute);
    expect(locationOf(await addSlotToCart(shopper(shop), service, at(11)))).toBe(second);
  });

  it("is booked where a staff member is free", async () => {
    const ama = await createStaffMember(shop);
    const service = await createServiceOf([home, second], { staff_ids: [ama], capacity: 2 });
    await createBooking(shop, service, { fields: { location_id: second } });
    expect(locationOf(await addSlotToCart(ask, service, at(9)))).toBe(second);
  });

  it("is booked where all participants find a place", async () => {
    const service = await createServiceOf([home, second], { capacity: 3 });
    await createBooking(shop, service, { fields: { location_id: home, quantity: 2 } });
    expect(locationOf(await addSlotToCart(ask, service, at(9), { quantity: 2 }))).toBe(second);
    expect(locationOf(await addSlotToCart(shopper(shop), service, at(9)))).toBe(home);
  });

  it("lasts as long as the chosen variant when a location is chosen", async () => {
    const service = await createServiceOf([home, second], {
      variants: [
        { name: "Short", is_default: true },
        { name: "Long", duration_minutes: 120 },
      ],
    });
    const long = service.variants.find(({ name }: { name: string }) => name === "Long").id;
    await createBooking(shop, service, { when: at(10), fields: { location_id: home } });
    expect(locationOf(await addSlotToCart(ask, service, at(9)))).toBe(home);
    const answer = await addSlotToCart(shopper(shop), service, at(9), { variant_id: long });
    expect(locationOf(answer)).toBe(second);
  });

  it("is refused with the reason of the default location when no location has the slot", async () => {
    const service = await createServiceOf([home, second]);
    for (const location_id of [home, second]) {
      await createBooking(shop, service, { fields: { location_id } });
    }
    expect(await addSlotToCart(ask, service, at(9))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason: "FULLY_BOOKED" } } },
    });
    expect(await addSlotToCart(ask, service, at(7))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason: "OUTSIDE_HOURS" } } },
    });
    expect(await listSlotAllocations(shop)).toHaveLength(2);
  });

  it("is booked at the cart's location, or refused when the slot is taken there", async () => {
    const service = await createServiceOf([home, second]);
    const cup = await createProduct(shop);
    await requireData(
      ask("POST", "/cart/items", { body: { item_id: cup.id, location_id: second } }),
    );
    expect(locationOf(await addSlotToCart(ask, service, at(9)))).toBe(second);
    await createBooking(shop, service, { when: at(11), fields: { location_id: second } });
    expect(ruleOf(await addSlotToCart(ask, service, at(11)))).toEqual([422, "SLOT_UNAVAILABLE"]);
  });

  it("takes the named location, and no other", async () => {
    const service = await createServiceOf([home, second]);
    const there = { location_id: second };
    expect(locationOf(await addSlotToCart(ask, service, at(9), there))).toBe(second);
    const refused = await addSlotToCart(shopper(shop), service, at(9), there);
    expect(ruleOf(refused)).toEqual([422, "SLOT_UNAVAILABLE"]);
    const unknown = await addSlotToCart(shopper(shop), service, at(9), { location_id: "loc_x" });
    expect(unknown.status).toBe(404);
  });

  it("raises the same line when it is added again", async () => {
    const service = await createServiceOf([home, second], { capacity: 4 });
    await requireData(addSlotToCart(ask, service, at(9)));
    const { items } = await requireData(addSlotToCart(ask, service, at(9)));
    expect(items).toMatchObject([{ quantity: 2, location_id: home }]);
    expect(await listSlotAllocations(shop)).toEqual([["hold", 2, at(9)]]);
  });

  it("is booked at the next free location when the first is taken in between", async () => {
    const service = await createServiceOf([home, second]);
    const { business } = shop;
    const [location] = business.locations;
    if (!location) throw new Error("There is no default location.");
    const locations = [location, { ...location, id: second, isDefault: false }];
    const ctx = { ...contextFor(shop), business: { ...business, locations } };
    const { data: bookable } = await findBookableService(ctx, service.id);
    if (!bookable) throw new Error("The service cannot be booked.");
    const slot = { start: Date.parse(at(9)), end: null, staffId: null };
    const any = { variantId: null, locationId: null, cartLocationId: null, participants: 1 };
    const tried: string[] = [];
    const bookAt = async (locationId: string) => {
      tried.push(locationId);
      if (locationId === home) throw slotUnavailable("FULLY_BOOKED");
      return locationId;
    };
    const booking = { bookable, start: slot.start, slot };
    expect(await bookAtFreeLocation(ctx, booking, any, bookAt)).toBe(second);
    expect(tried).toEqual([home, second]);
  });

  it("gives each of many shoppers at once a place, as long as there are any", async () => {
    const service = await createServiceOf([home, second]);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => addSlotToCart(shopper(shop), service, at(9))),
    );
    const booked = answers.filter(({ status }) => status === 200).map(locationOf);
    expect(booked.sort()).toEqual([home, second].sort());
    expect(await listSlotAllocations(shop)).toHaveLength(2);
  });
});

import { beforeEach, expect, it } from "vitest";
import { measureD1Usage } from "../support/d1-usage.ts";
import { shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  cancelBooking,
  createBooking,
  createBookingShop,
  createService,
  mobileMoney,
} from "./create-booking.ts";

let shop: Awaited<ReturnType<typeof createBookingShop>>;
let service: Awaited<ReturnType<typeof createService>>;

beforeEach(async () => {
  shop = await createBookingShop();
  service = await createService(shop, { capacity: 10 });
  await createBooking(shop, service); // fills the caches
});

it("writes at most 8 rows for a hold, 82 for a booking with its order (docs/scale.md uses these figures)", async () => {
  const ask = shopper(shop);
  const held = await measureD1Usage(() => addSlotToCart(ask, service, at(9)));
  expect(held.rowsWritten).toBeGreaterThan(1);
  expect(held.rowsWritten).toBeLessThanOrEqual(8);
  const booked = await measureD1Usage(() =>
    createBooking(shop, service, { when: at(9), pay: mobileMoney(0) }),
  );
  expect(booked.rowsWritten).toBeGreaterThan(held.rowsWritten);
  expect(booked.rowsWritten).toBeLessThanOrEqual(82);
});

it("writes at most 45 rows for a cancellation by the customer", async () => {
  const placed = await createBooking(shop, service, { when: at(11) });
  const cancelled = await measureD1Usage(() => cancelBooking(placed.ask, placed));
  expect(cancelled.rowsWritten).toBeGreaterThan(1);
  expect(cancelled.rowsWritten).toBeLessThanOrEqual(45);
});

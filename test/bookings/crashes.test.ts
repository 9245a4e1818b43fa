import { beforeEach, describe, expect, it } from "vitest";
import {
  addItem,
  type Cart,
  changeItemQuantity,
  clearCart,
  emptyCart,
} from "../../shared/cart/index.ts";
import { type Checkout, type CheckoutContext, runCheckout } from "../../shared/checkout/index.ts";
import { bookedOrderRepo, cancelBooking, rescheduleBooking } from "../../shared/orders/index.ts";
import { checkoutContextFor, createPlannedCheckout } from "../checkout/create-checkout.ts";
import { createOrderContext } from "../support/create-order.ts";
import { Crash, type CrashPoint, crashAtEffect, neverCrash } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { contextFor } from "../support/world.ts";
import {
  at,
  type BookingShop,
  createBooking,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
} from "./create-booking.ts";

let shop: BookingShop;
let productId: string;
let empty: Cart;

beforeEach(async () => {
  shop = await createBookingShop();
  empty = emptyCart(contextFor(shop).newId("cart"), 0);
  const staff_ids = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
  productId = (await createService(shop, { staff_ids })).product_id;
});

const createCrashingContext = (crashPoint: CrashPoint): CheckoutContext =>
  checkoutContextFor(shop, { crashPoint });

const newItem = () => ({
  configuration: {
    productId,
    variantId: null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  },
  quantity: 1,
  quoteId: null,
  slot: { start: Date.parse(at(9)), end: null, staffId: null },
});

const planTestCheckout = (cart: Cart): Promise<Checkout> =>
  createPlannedCheckout(createCrashingContext(neverCrash), cart);

const effects = (count: number) =>
  Array.from({ length: count }, (_, index) => index + 1).flatMap((effect) =>
    (["before", "after"] as const).map((when) => [when, effect] as const),
  );

describe("a cart change that crashes", () => {
  it.each(effects(2))(
    "%s effect %i of an addition holds one slot after a retry",
    async (when, effect) => {
      const dying = createCrashingContext(crashAtEffect(effect, when));
      await expect(addItem(dying, empty, newItem())).rejects.toBeInstanceOf(Crash);
      const { cart } = await addItem(createCrashingContext(neverCrash), empty, newItem());
      expect(cart.lines).toMatchObject([
        { quantity: 1, configuration: { slot: { end: Date.parse(at(10)) } } },
      ]);
      expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
    },
  );

  it("after it released a slot leaves a line that can still be ordered", async () => {
    const { cart } = await addItem(createCrashingContext(neverCrash), empty, newItem());
    await expect(
      clearCart(createCrashingContext(crashAtEffect(1, "after")), cart),
    ).rejects.toBeInstanceOf(Crash);
    expect(await listSlotAllocations(shop)).toEqual([]);
    await runCheckout(createCrashingContext(neverCrash), await planTestCheckout(cart), () => {});
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
  });

  it("leaves a hold that the next change of the line corrects", async () => {
    const { cart, line } = await addItem(createCrashingContext(neverCrash), empty, newItem());
    const change = { lineId: line.id, quantity: 1 };
    const dying = createCrashingContext(crashAtEffect(2, "after"));
    await expect(changeItemQuantity(dying, cart, change)).rejects.toBeInstanceOf(Crash);
    await changeItemQuantity(createCrashingContext(neverCrash), cart, change);
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
  });
});

describe("a checkout that crashes", () => {
  it.each(
    effects(2).flatMap(([when, effect]) =>
      (["saved", "lost"] as const).map((saved) => [when, effect, saved] as const),
    ),
  )("%s effect %i (progress %s) books once when it is resumed", async (when, effect, saved) => {
    const { cart } = await addItem(createCrashingContext(neverCrash), empty, newItem());
    const checkout = await planTestCheckout(cart);
    let stored = checkout;
    const save = (next: Checkout) => {
      if (saved === "saved" || next.state === "charging") stored = next;
    };
    const dying = createCrashingContext(crashAtEffect(effect, when));
    await expect(runCheckout(dying, checkout, save)).rejects.toBeInstanceOf(Crash);
    await runCheckout(createCrashingContext(neverCrash), stored, () => {});

    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
    const rows = await selectRows(
      shop,
      "select status, order_id from bookings where business_id = ?",
      shop.business.id,
    );
    expect(rows).toEqual([{ status: "confirmed", order_id: checkout.plan.orderId }]);
    const eventTypes = (await listOutboxEventTypes(shop)).filter((type) =>
      type.startsWith("booking."),
    );
    expect(eventTypes).toEqual(["booking.created"]);
  });
});

describe("a booking change that crashes", () => {
  it.each(["before", "after"] as const)(
    "%s its batch is made once when it is retried with its key",
    async (when) => {
      const { booking } = await createBooking(shop, { product_id: productId });
      const find = () =>
        bookedOrderRepo(createOrderContext(shop)).get({ id: booking.id }, { type: "business" });
      const move = (crashPoint: CrashPoint, booked: Awaited<ReturnType<typeof find>>) =>
        rescheduleBooking(createOrderContext(shop, { crashPoint }), booked, {
          start: Date.parse(at(14)),
          end: Date.parse(at(15)),
          staffId: null,
          reason: null,
          type: "customer",
          initiator: "customer",
          requestKey: "move.digest",
        });
      await expect(move(crashAtEffect(1, when), await find())).rejects.toBeInstanceOf(Crash);
      const moved = await move(neverCrash, await find());
      expect(moved).toMatchObject({
        isReplay: when === "after",
        booking: { rescheduledFrom: Date.parse(at(9)) },
      });
      expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(14)]]);

      const end = async (crashPoint: CrashPoint) =>
        cancelBooking(createOrderContext(shop, { crashPoint }), await find(), {
          reason: null,
          initiator: "customer",
          requestKey: "cancel.digest",
        });
      await expect(end(crashAtEffect(1, when))).rejects.toBeInstanceOf(Crash);
      expect(await end(neverCrash)).toMatchObject({ booking: { status: "cancelled" } });
      expect(await listSlotAllocations(shop)).toEqual([]);
      const eventTypes = (await listOutboxEventTypes(shop)).filter((type) =>
        type.startsWith("booking."),
      );
      expect(eventTypes).toEqual(["booking.created", "booking.rescheduled", "booking.cancelled"]);
    },
  );
});

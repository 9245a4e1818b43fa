import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { addItem, type Cart, changeItem, clearCart, emptyCart } from "../../shared/cart/index.ts";
import { productRepo } from "../../shared/catalogue/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  planCheckout,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { staticRates } from "../../shared/fx/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { bookedOrderRepo, cancelBooking, rescheduleBooking } from "../../shared/orders/index.ts";
import { cashProvider, sandboxProvider } from "../../shared/payments/index.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { orderContextFor } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor } from "../support/world.ts";
import {
  at,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  givenStaff,
  type Shop,
} from "./given.ts";

let shop: Shop;
let productId: string;
let empty: Cart;

beforeEach(async () => {
  shop = await givenShop();
  empty = emptyCart(contextFor(shop).newId("cart"), 0);
  const staff_ids = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
  productId = (await givenService(shop, { staff_ids })).product_id;
});

/** A session's context whose every batch may be its last. */
function contextThatDies(dies: Dies): CheckoutContext {
  const ctx = contextFor(shop, {
    type: "session",
    sessionId: "ses_test",
    customerId: null,
    loggedInAt: null,
  });
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const db = openDb(
    { prepare: (sql) => d1.prepare(sql), batch: (all) => dies(() => d1.batch(all)) },
    createMeter(),
  );
  const sandbox = sandboxProvider(openDb(d1, createMeter()), { now: ctx.now, pageOf: () => "" });
  return {
    ...ctx,
    db,
    findProducts: async (ids) => {
      const { products } = await productRepo(contextFor(shop)).findWithComponents(ids);
      return new Map(products.map((one) => [one.id, one]));
    },
    findDeals: async () => ({ automatic: [], coupon: null }),
    providerFor: (method) => (method === "cash" ? cashProvider : sandbox),
    fx: staticRates(null, ctx.now),
  };
}

const wanted = () => ({
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

async function planned(cart: Cart): Promise<Checkout> {
  const plan = await planCheckout(contextThatDies(never), {
    cart,
    sessionId: "ses_test",
    request: {
      cartId: cart.id,
      customer: { name: null, email: null, phone: "+233241234560", notes: null },
      orderType: "delivery",
      addressInfo: null,
      paymentMethod: "mobile_money",
      mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
      returnUrls: { success: null, cancel: null },
      origin: "https://duka.test",
      payCurrency: null,
      fxQuoteId: null,
      specialInstructions: null,
      metadata: {},
    },
  });
  if (plan.type !== "planned") throw new Error("nothing was planned");
  return plan.checkout;
}

const effects = (count: number) =>
  Array.from({ length: count }, (_, index) => index + 1).flatMap((effect) =>
    (["before", "after"] as const).map((when) => [when, effect] as const),
  );

describe("a cart write that dies", () => {
  it.each(effects(2))(
    "%s effect %i of an add holds one place when it is made again",
    async (when, effect) => {
      const dying = contextThatDies(faults(effect, when));
      await expect(addItem(dying, empty, wanted())).rejects.toBeInstanceOf(Crash);
      const { cart } = await addItem(contextThatDies(never), empty, wanted());
      expect(cart.lines).toMatchObject([
        { quantity: 1, configuration: { slot: { end: Date.parse(at(10)) } } },
      ]);
      expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
    },
  );

  it("after it gave a place back leaves a line that can still be bought", async () => {
    const { cart } = await addItem(contextThatDies(never), empty, wanted());
    await expect(clearCart(contextThatDies(faults(1, "after")), cart)).rejects.toBeInstanceOf(
      Crash,
    );
    expect(await claimsOf(shop)).toEqual([]);
    await runCheckout(contextThatDies(never), await planned(cart), () => {});
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
  });

  it("of a change leaves a hold that the line's next change puts right", async () => {
    const { cart, line } = await addItem(contextThatDies(never), empty, wanted());
    const change = { lineId: line.id, quantity: 1 };
    const dying = contextThatDies(faults(2, "after"));
    await expect(changeItem(dying, cart, change)).rejects.toBeInstanceOf(Crash);
    await changeItem(contextThatDies(never), cart, change);
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
  });
});

describe("a checkout that dies", () => {
  it.each(
    effects(2).flatMap(([when, effect]) =>
      (["kept", "lost"] as const).map((saved) => [when, effect, saved] as const),
    ),
  )(
    "%s effect %i (progress %s) books once when it is gone on with",
    async (when, effect, saved) => {
      const { cart } = await addItem(contextThatDies(never), empty, wanted());
      const checkout = await planned(cart);
      let stored = checkout;
      const save = (next: Checkout) => {
        if (saved === "kept" || next.wasAsked !== stored.wasAsked) stored = next;
      };
      const dying = contextThatDies(faults(effect, when));
      await expect(runCheckout(dying, checkout, save)).rejects.toBeInstanceOf(Crash);
      await runCheckout(contextThatDies(never), stored, () => {});

      expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
      const rows = await rowsOf(
        shop,
        "select status, order_id from bookings where business_id = ?",
        shop.business.id,
      );
      expect(rows).toEqual([{ status: "confirmed", order_id: checkout.plan.orderId }]);
      const told = (await eventsOf(shop)).filter((type) => type.startsWith("booking."));
      expect(told).toEqual(["booking.created"]);
    },
  );
});

describe("a change of a booking that dies", () => {
  it.each(["before", "after"] as const)(
    "%s its batch is made once when it is asked again under its key",
    async (when) => {
      const { booking } = await givenBooking(shop, { product_id: productId });
      const find = () =>
        bookedOrderRepo(orderContextFor(shop)).get({ id: booking.id }, { type: "business" });
      const move = (dies: Dies, found: Awaited<ReturnType<typeof find>>) =>
        rescheduleBooking(orderContextFor(shop, { dies }), found, {
          start: Date.parse(at(14)),
          end: Date.parse(at(15)),
          staffId: null,
          reason: null,
          type: "customer",
          by: "customer",
          requestKey: "move.digest",
        });
      await expect(move(faults(1, when), await find())).rejects.toBeInstanceOf(Crash);
      const moved = await move(never, await find());
      expect(moved).toMatchObject({
        isReplay: when === "after",
        booking: { rescheduledFrom: Date.parse(at(9)) },
      });
      expect(await claimsOf(shop)).toEqual([["booking", 1, at(14)]]);

      const end = async (dies: Dies) =>
        cancelBooking(orderContextFor(shop, { dies }), await find(), {
          reason: null,
          by: "customer",
          requestKey: "cancel.digest",
        });
      await expect(end(faults(1, when))).rejects.toBeInstanceOf(Crash);
      expect(await end(never)).toMatchObject({ booking: { status: "cancelled" } });
      expect(await claimsOf(shop)).toEqual([]);
      const told = (await eventsOf(shop)).filter((type) => type.startsWith("booking."));
      expect(told).toEqual(["booking.created", "booking.rescheduled", "booking.cancelled"]);
    },
  );
});

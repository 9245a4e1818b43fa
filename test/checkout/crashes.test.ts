import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { type Checkout, resultOf, runCheckout } from "../../shared/checkout/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan, nothingRead } from "./given.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

/** A checkout's context whose every effect outside the object may be its last. */
const contextThatDies = (dies: Dies) => checkoutContextFor(shop, { dies });

async function planned(paymentMethod: string): Promise<Checkout> {
  const ctx = contextThatDies(never);
  const cart = await givenCart(ctx, givenItem(product.id, { quantity: 2 }));
  return givenPlan(ctx, cart, { paymentMethod });
}

/** What the shop looks like after one sale, and nothing but one. */
async function books() {
  const of = (table: string) =>
    rowsOf(shop, `select * from ${table} where business_id = ?`, shop.business.id);
  const [orders, payments, levels] = [
    await of("orders"),
    await of("payments"),
    await of("stock_levels"),
  ];
  const charges = await rowsOf(
    shop,
    "select * from sandbox_charges where order_id = ?",
    orders[0]?.id,
  );
  return {
    orders: orders.map(({ status, payment_status }) => ({ status, payment_status })),
    payments: payments.map(({ status }) => status),
    charges: charges.map(({ status }) => status),
    stock: levels.map(({ quantity_on_hand, quantity_reserved }) => [
      quantity_on_hand,
      quantity_reserved,
    ]),
    events: (await eventsOf(shop)).sort(),
  };
}

const methods = [
  {
    method: "mobile_money",
    effects: 3,
    books: {
      orders: [{ status: "confirmed", payment_status: "captured" }],
      payments: ["captured"],
      charges: ["captured"],
      stock: [[50, 2]],
      events: ["order.created", "order.updated", "payment.completed"],
    },
  },
  {
    method: "cash",
    effects: 1,
    books: {
      orders: [{ status: "pending", payment_status: "pending" }],
      payments: ["pending"],
      charges: [],
      stock: [[50, 2]],
      events: ["order.created"],
    },
  },
] as const;

const crashes = methods.flatMap((one) =>
  Array.from({ length: one.effects }, (_, index) => [
    { ...one, at: index + 1, when: "before" as const, saved: "kept" as const },
    { ...one, at: index + 1, when: "after" as const, saved: "kept" as const },
    { ...one, at: index + 1, when: "after" as const, saved: "lost" as const },
  ]).flat(),
);

describe("a checkout that dies", () => {
  it.each(crashes)(
    "$when effect $at of $method (progress $saved) sells once when it is gone on with",
    async (crash) => {
      const checkout = await planned(crash.method);
      let stored = checkout;
      const save = (next: Checkout) => {
        if (crash.saved === "kept" || next.wasAsked !== stored.wasAsked) stored = next;
      };
      const dying = contextThatDies(faults(crash.at, crash.when));
      await expect(runCheckout(dying, checkout, save, nothingRead)).rejects.toBeInstanceOf(Crash);

      const ctx = contextThatDies(never);
      const finished = await runCheckout(ctx, stored, () => {});
      const again = await runCheckout(ctx, finished, () => {});

      expect(await books()).toEqual(crash.books);
      expect(resultOf(ctx, again)).toEqual(resultOf(ctx, finished));
      expect(resultOf(ctx, finished)).toMatchObject({
        orderId: checkout.plan.orderId,
        orderNumber: "ORD-1001",
      });
    },
  );

  it("has as many effects as the table above says", async () => {
    for (const { method, effects } of methods) {
      let counted = 0;
      const counting: Dies = (effect) => {
        counted += 1;
        return effect();
      };
      await runCheckout(contextThatDies(counting), await planned(method), () => {}, nothingRead);
      expect(counted).toBe(effects);
    }
  });
});

describe("a checkout whose provider takes the same reference twice", () => {
  it("asks how the charge stands before it would charge again", async () => {
    let charges = 0;
    const captured = { type: "captured", amountMinor: 2_000, currency: "GHS" } as const;
    const greedy: PaymentProvider = {
      name: "greedy",
      takenBy: "provider",
      async charge() {
        charges += 1;
        if (charges === 1) throw new Crash(); // it took the money, and its answer is lost
        return captured;
      },
      authorize: async () => ({ type: "no_answer" }),
      verify: async () => (charges > 0 ? captured : { type: "unknown" }),
      refund: async () => ({ type: "no_answer" }),
      alert() {},
    };
    const ctx = checkoutContextFor(shop, { provider: greedy });
    let stored = await planned("mobile_money");
    const save = (next: Checkout) => {
      stored = next;
    };
    await expect(runCheckout(ctx, stored, save)).rejects.toBeInstanceOf(Crash);
    const finished = await runCheckout(ctx, stored, save);
    expect(charges).toBe(1);
    expect(resultOf(ctx, finished)).toMatchObject({ paymentStatus: "captured" });
  });
});

describe("a checkout run by two at once", () => {
  it("sells once", async () => {
    const checkout = await planned("mobile_money");
    const asked = { ...checkout, wasAsked: true };
    const results = await Promise.allSettled([
      runCheckout(contextThatDies(never), checkout, () => {}),
      runCheckout(contextThatDies(never), asked, () => {}),
    ]);
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
    await runCheckout(contextThatDies(never), asked, () => {}).catch(() => {});
    expect(await books()).toMatchObject({ charges: ["captured"], stock: [[50, 2]] });
    expect((await eventsOf(shop)).filter((type) => type !== "order.updated").sort()).toEqual([
      "order.created",
      "payment.completed",
    ]);
  });
});

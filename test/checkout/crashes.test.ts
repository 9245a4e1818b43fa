import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { type Checkout, requireCheckoutResult, runCheckout } from "../../shared/checkout/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { Crash, type CrashPoint, crashAtEffect, neverCrash } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "./create-checkout.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

/** A context that can crash at every effect outside the object. */
const createDyingContext = (crashPoint: CrashPoint) => checkoutContextFor(shop, { crashPoint });

async function createTestCheckout(paymentMethod: string): Promise<Checkout> {
  const ctx = createDyingContext(neverCrash);
  const cart = await createCart(ctx, newItem(product.id, { quantity: 2 }));
  return createPlannedCheckout(ctx, cart, { paymentMethod });
}

/** The shop's orders, payments, charges, stock and events. */
async function loadBooks() {
  const of = (table: string) =>
    selectRows(shop, `select * from ${table} where business_id = ?`, shop.business.id);
  const [orders, payments, levels] = [
    await of("orders"),
    await of("payments"),
    await of("stock_levels"),
  ];
  const charges = await selectRows(
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
    events: (await listOutboxEventTypes(shop)).sort(),
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
    { ...one, at: index + 1, when: "before" as const, saved: "stored" as const },
    { ...one, at: index + 1, when: "after" as const, saved: "stored" as const },
    { ...one, at: index + 1, when: "after" as const, saved: "lost" as const },
  ]).flat(),
);

describe("a checkout that crashes", () => {
  it.each(crashes)(
    "$when effect $at of $method (progress $saved) sells once when it is resumed",
    async (crash) => {
      const checkout = await createTestCheckout(crash.method);
      let stored = checkout;
      const save = (next: Checkout) => {
        if (crash.saved === "stored" || next.state === "charging") stored = next;
      };
      const dying = createDyingContext(crashAtEffect(crash.at, crash.when));
      await expect(runCheckout(dying, checkout, save, readsOf(checkout))).rejects.toBeInstanceOf(
        Crash,
      );

      const ctx = createDyingContext(neverCrash);
      const finished = await runCheckout(ctx, stored, () => {});
      const again = await runCheckout(ctx, finished, () => {});

      expect(await loadBooks()).toEqual(crash.books);
      expect(requireCheckoutResult(ctx, again)).toEqual(requireCheckoutResult(ctx, finished));
      expect(requireCheckoutResult(ctx, finished)).toMatchObject({
        orderId: checkout.plan.orderId,
        orderNumber: "ORD-1001",
      });
    },
  );

  it("has as many effects as the table says", async () => {
    for (const { method, effects } of methods) {
      let counted = 0;
      const counting: CrashPoint = (effect) => {
        counted += 1;
        return effect();
      };
      const checkout = await createTestCheckout(method);
      await runCheckout(createDyingContext(counting), checkout, () => {}, readsOf(checkout));
      expect(counted).toBe(effects);
    }
  });
});

describe("a checkout whose provider takes the same reference twice", () => {
  it("verifies the charge before it charges again", async () => {
    let charges = 0;
    const captured = { type: "captured", amountMinor: 2_000, currency: "GHS" } as const;
    const greedy: PaymentProvider = {
      name: "sandbox",
      collectedBy: "provider",
      async charge() {
        charges += 1;
        if (charges === 1) throw new Crash(); // the money is captured and the response is lost
        return captured;
      },
      authorize: async () => ({ type: "no_answer" }),
      verify: async () => (charges > 0 ? captured : { type: "unknown" }),
      refund: async () => ({ type: "no_answer" }),
      alert() {},
    };
    const ctx = checkoutContextFor(shop, { provider: greedy });
    let stored = await createTestCheckout("mobile_money");
    const save = (next: Checkout) => {
      stored = next;
    };
    await expect(runCheckout(ctx, stored, save)).rejects.toBeInstanceOf(Crash);
    const finished = await runCheckout(ctx, stored, save);
    expect(charges).toBe(1);
    expect(requireCheckoutResult(ctx, finished)).toMatchObject({ paymentStatus: "captured" });
  });
});

describe("two runs of one checkout at once", () => {
  it("sell once", async () => {
    const checkout = await createTestCheckout("mobile_money");
    const results = await Promise.allSettled([
      runCheckout(createDyingContext(neverCrash), checkout, () => {}),
      runCheckout(createDyingContext(neverCrash), checkout, () => {}),
    ]);
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
    await runCheckout(createDyingContext(neverCrash), checkout, () => {}).catch(() => {});
    expect(await loadBooks()).toMatchObject({ charges: ["captured"], stock: [[50, 2]] });
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type !== "order.updated").sort(),
    ).toEqual(["order.created", "payment.completed"]);
  });
});

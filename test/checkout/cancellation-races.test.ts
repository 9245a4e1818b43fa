import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  abandonCheckout,
  requireCheckoutResult,
  runCheckout,
} from "../../shared/checkout/index.ts";
import {
  cancelOrder,
  changeOrderStatus,
  orderRepo,
  settleRefund,
} from "../../shared/orders/index.ts";
import type { ChargeResult, PaymentProvider } from "../../shared/payments/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "./create-checkout.ts";
import {
  captured,
  declined,
  deleteRefunds,
  runScriptedCheckout,
  type ScriptedSale,
} from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

const cancelByBusiness = async ({ ctx, loadOrder }: ScriptedSale) =>
  cancelOrder(ctx, await loadOrder(), { reason: null, initiator: "business", requestKey: null });

/** Retries the checkout, with `around` wrapped around its charge. */
const retryWithCharge = (
  { checkout, provider }: ScriptedSale,
  around: (charge: () => Promise<ChargeResult>) => Promise<ChargeResult>,
) => {
  const charge: PaymentProvider["charge"] = (request) => around(() => provider.charge(request));
  const ctx = checkoutContextFor(shop, { provider: { ...provider, charge } });
  return runCheckout(ctx, checkout, () => {});
};

/** Delivers every notice and sends every refund, as the jobs do. */
async function settleEverything(sale: ScriptedSale) {
  for (const reference of sale.charged) await sale.receiveNotice(reference);
  for (const { id: refundId, status } of (await sale.loadOrder()).refunds)
    if (status === "pending")
      await settleRefund(sale.ctx, await sale.loadOrder(), { refundId, onRefusal: "try-again" });
  return sale.loadOrder();
}

/** Expects a cancelled order whose captured money was refunded once. */
async function expectAllRefunded(sale: ScriptedSale): Promise<void> {
  const { order, payment, refunds } = await settleEverything(sale);
  expect(order.status).toBe("cancelled");
  const taken = [...sale.results.values()].filter(({ type }) => type === "captured").length;
  expect(sale.refunded.map(({ amountMinor }) => amountMinor)).toEqual(Array(taken).fill(1_000));
  expect(refunds.map(({ status }) => status)).toEqual(Array(taken).fill("refunded"));
  expect(payment.status).toBe(taken === 0 ? "cancelled" : "refunded");
}

describe("a second charge and a cancellation of its order", () => {
  it("is not requested after the cancellation", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    await cancelByBusiness(sale);
    await expect(sale.retry()).rejects.toMatchObject({ code: "CONFLICT", retryable: false });
    expect(sale.charged).toHaveLength(1);
    await expectAllRefunded(sale);
  });

  it.each<
    [string, (sale: ScriptedSale, charge: () => Promise<ChargeResult>) => Promise<ChargeResult>]
  >([
    [
      "comes after the charge was prepared and before it is requested",
      async (sale, charge) => {
        await cancelByBusiness(sale);
        return charge();
      },
    ],
    [
      "comes after the money was captured and before the response",
      async (sale, charge) => {
        const result = await charge();
        await cancelByBusiness(sale);
        return result;
      },
    ],
    [
      "comes after the money was captured, and the response is lost",
      async (sale, charge) => {
        await charge();
        await cancelByBusiness(sale);
        return { type: "no_answer" };
      },
    ],
    [
      "comes at the same time",
      async (sale, charge) => {
        const [result] = await Promise.all([charge(), cancelByBusiness(sale)]);
        return result;
      },
    ],
    [
      "comes before the charge, and the response is lost",
      async (sale, charge) => {
        await cancelByBusiness(sale);
        await charge();
        return { type: "no_answer" };
      },
    ],
  ])("is refunded in full, once, when the cancellation %s", async (_, around) => {
    const sale = await runScriptedCheckout(shop, declined, captured);
    await retryWithCharge(sale, (charge) => around(sale, charge));
    expect(sale.charged).toHaveLength(2);
    await expectAllRefunded(sale);
  });

  it("is refunded in full, once, whichever of the two comes first", async () => {
    const sale = await runScriptedCheckout(shop, declined, captured);
    await Promise.allSettled([sale.retry(), cancelByBusiness(sale)]);
    await cancelByBusiness(sale).catch(() => {}); // where the charge came first, and asked it to try again
    await expectAllRefunded(sale);
  });
});

describe("abandonCheckout of a crashed cash checkout", () => {
  async function placeCashOrder() {
    const ctx = checkoutContextFor(shop);
    const cart = await createCart(ctx, newItem((await createProduct(shop)).id));
    const checkout = await createPlannedCheckout(ctx, cart, {
      paymentMethod: "cash",
      mobileMoney: null,
    });
    await runCheckout(ctx, checkout, () => {}); // its progress is not stored
    return { ctx, checkout, order: () => orderRepo(ctx).get(checkout.plan.orderId) };
  }

  it("cancels an order that the business has not accepted", async () => {
    const { ctx, checkout, order } = await placeCashOrder();
    expect(await abandonCheckout(ctx, checkout)).toBe("abandoned");
    expect((await order()).order.status).toBe("cancelled");
  });

  it("keeps an order that the business has accepted", async () => {
    const { ctx, checkout, order } = await placeCashOrder();
    await changeOrderStatus(ctx, await order(), { status: "confirmed", requestKey: null });
    expect(await abandonCheckout(ctx, checkout)).toBe("sold");
    const finished = await runCheckout(ctx, checkout, () => {});
    expect(requireCheckoutResult(ctx, finished)).toMatchObject({
      provider: "cash",
      paymentStatus: "pending",
    });
    expect((await order()).order.status).toBe("confirmed");
    const orders = "select 1 from orders where business_id = ?";
    expect(await selectRows(shop, orders, shop.business.id)).toHaveLength(1);
  });
});

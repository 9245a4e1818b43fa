import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { abandonCheckout, EarlierOrderSold, runCheckout } from "../../shared/checkout/index.ts";
import { cancelOrder } from "../../shared/orders/index.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createCart, newItem, planCheckoutWithReads } from "./create-checkout.ts";
import {
  captured,
  declined,
  deleteRefunds,
  runScriptedCheckout,
  type ScriptedSale,
  waiting,
} from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

/** Plans a checkout that replaces the order of another. */
async function planReplacement({ ctx, checkout }: ScriptedSale) {
  const product = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const cart = await createCart(ctx, newItem(product.id), checkout.request.cartId);
  return planCheckoutWithReads(ctx, cart, { replaces: [checkout.plan.orderId] });
}

const listStatuses = async () =>
  (
    await selectRows(
      shop,
      "select status from orders where business_id = ? order by created_at, status",
      shop.business.id,
    )
  )
    .map(({ status }) => status)
    .sort();

const conflict = { code: "CONFLICT", retryable: true };

describe("an order that changes between the plan and the batch that cancels it", () => {
  it("is kept when it is paid meanwhile, and nothing is placed", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    const { checkout, reads } = await planReplacement(sale);
    sale.results.set(sale.checkout.reference, captured);
    await sale.receiveNotice(sale.checkout.reference);
    await expect(runCheckout(sale.ctx, checkout, () => {}, reads)).rejects.toMatchObject(conflict);
    expect(await listStatuses()).toEqual(["confirmed"]);
    const goneOn = runCheckout(sale.ctx, checkout, () => {});
    await expect(goneOn).rejects.toMatchObject({ orderId: sale.checkout.plan.orderId });
    await expect(goneOn).rejects.toBeInstanceOf(EarlierOrderSold);
    expect(await listStatuses()).toEqual(["confirmed"]);
    expect(sale.charged).toHaveLength(1);
  });

  it("is replaced by a retry when it was cancelled meanwhile", async () => {
    const sale = await runScriptedCheckout(shop, declined, captured);
    const { checkout, reads } = await planReplacement(sale);
    const cancellation = { reason: null, initiator: "business", requestKey: null } as const;
    await cancelOrder(sale.ctx, await sale.loadOrder(), cancellation);
    await expect(runCheckout(sale.ctx, checkout, () => {}, reads)).rejects.toMatchObject(conflict);
    expect(await listStatuses()).toEqual(["cancelled"]);
    await runCheckout(sale.ctx, checkout, () => {});
    expect(await listStatuses()).toEqual(["cancelled", "confirmed"]);
  });
});

describe("an order that another replaces", () => {
  it("is verified first, and kept while the provider does not answer", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    sale.results.set(sale.checkout.reference, { type: "no_answer" });
    await expect(planReplacement(sale)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await listStatuses()).toEqual(["pending"]);
  });

  it("is the sale when its money has arrived", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    sale.results.set(sale.checkout.reference, captured);
    await expect(planReplacement(sale)).rejects.toBeInstanceOf(EarlierOrderSold);
    expect(await listStatuses()).toEqual(["confirmed"]);
  });

  it("is refunded when its money arrives after the cancellation", async () => {
    const sale = await runScriptedCheckout(shop, declined, captured);
    const { checkout, reads } = await planReplacement(sale);
    await runCheckout(sale.ctx, checkout, () => {}, reads);
    sale.results.set(sale.checkout.reference, captured);
    await sale.receiveNotice(sale.checkout.reference);
    expect(await sale.loadOrder()).toMatchObject({
      order: { status: "cancelled" },
      refunds: [{ amountMinor: captured.amountMinor, status: "pending" }],
    });
  });

  it("emits payment.failed and order.cancelled when the decline was not known yet", async () => {
    const sale = await runScriptedCheckout(shop, { type: "no_answer" }, captured);
    sale.results.set(sale.checkout.reference, declined);
    const { checkout, reads } = await planReplacement(sale);
    await runCheckout(sale.ctx, checkout, () => {}, reads);
    expect((await listOutboxEventTypes(shop)).sort()).toEqual([
      "order.cancelled",
      "order.created",
      "order.created",
      "order.updated",
      "payment.completed",
      "payment.failed",
    ]);
  });

  it("is cancelled while the customer could still confirm the payment", async () => {
    const sale = await runScriptedCheckout(shop, { type: "no_answer" }, captured);
    sale.results.set(sale.checkout.reference, waiting);
    const { checkout, reads } = await planReplacement(sale);
    await runCheckout(sale.ctx, checkout, () => {}, reads);
    expect(await listStatuses()).toEqual(["cancelled", "confirmed"]);
  });

  it("is cancelled when the checkout that should replace it crashed and is abandoned", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    const { checkout } = await planReplacement(sale);
    expect(await abandonCheckout(sale.ctx, checkout)).toBe("abandoned");
    expect(await listStatuses()).toEqual(["cancelled"]);
  });
});

it("a resumed checkout places its order once and cancels the other once", async () => {
  const sale = await runScriptedCheckout(shop, declined, captured);
  const { checkout, reads } = await planReplacement(sale);
  await runCheckout(sale.ctx, checkout, () => {}, reads);
  await runCheckout(sale.ctx, checkout, () => {}, reads); // its batch fails on its own order
  await runCheckout(sale.ctx, checkout, () => {});
  expect(await listStatuses()).toEqual(["cancelled", "confirmed"]);
  expect(sale.charged).toHaveLength(2);
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { abandonCheckout, EarlierOrderSold, runCheckout } from "../../shared/checkout/index.ts";
import { cancelOrder, settleRefund } from "../../shared/orders/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant, shopper } from "../support/world.ts";
import {
  createCart,
  createPlannedCheckout,
  newItem,
  planCheckoutWithReads,
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

const listOrders = () =>
  selectRows(
    shop,
    "select id, status, payment_status from orders where business_id = ? order by cart_turn",
    shop.business.id,
  );

const cancelByBusiness = async ({ ctx, loadOrder }: ScriptedSale) => {
  await cancelOrder(ctx, await loadOrder(), {
    reason: null,
    initiator: "business",
    requestKey: null,
  });
};

/** Another checkout of the same cart, which does not know the first one. */
async function checkOutAgain({ ctx, checkout }: ScriptedSale) {
  const { id } = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const cart = await createCart(ctx, newItem(id), checkout.request.cartId);
  const { checkout: again, reads } = await planCheckoutWithReads(ctx, cart);
  return runCheckout(ctx, again, () => {}, reads);
}

describe("a cart whose order was cancelled", () => {
  it("is sold again without waiting for the provider's response about that order", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    await cancelByBusiness(sale);
    sale.results.set(sale.checkout.reference, { type: "no_answer" });
    await checkOutAgain(sale);
    expect(await listOrders()).toMatchObject([{ status: "cancelled" }, { status: "confirmed" }]);
  });

  it("is sold again after that order was refunded", async () => {
    const sale = await runScriptedCheckout(shop, captured);
    await cancelByBusiness(sale);
    const { refunds } = await sale.loadOrder();
    expect(refunds).toMatchObject([{ amountMinor: captured.amountMinor }]);
    await checkOutAgain(sale);
    expect(await listOrders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
    expect(sale.refunded).toHaveLength(1);
  });

  it("is sold again, and money that arrives for that order later is refunded", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    await cancelByBusiness(sale);
    sale.results.set(sale.checkout.reference, captured);
    await sale.receiveNotice(sale.checkout.reference);
    await checkOutAgain(sale);
    const { refunds } = await sale.loadOrder();
    expect(refunds).toMatchObject([{ amountMinor: captured.amountMinor, status: "pending" }]);
    await settleRefund(sale.ctx, await sale.loadOrder(), {
      refundId: refunds[0]?.id ?? "",
      onRefusal: "try-again",
    });
    expect(await listOrders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
  });

  it("is sold again, and money found by the checkout that replaces that order is refunded", async () => {
    const sale = await runScriptedCheckout(shop, declined, captured);
    await cancelByBusiness(sale);
    sale.results.set(sale.checkout.reference, captured);
    const { id } = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
    const cart = await createCart(sale.ctx, newItem(id), sale.checkout.request.cartId);
    const replaces = [sale.checkout.plan.orderId];
    const { checkout, reads } = await planCheckoutWithReads(sale.ctx, cart, { replaces });
    await runCheckout(sale.ctx, checkout, () => {}, reads);
    expect(await sale.loadOrder()).toMatchObject({
      order: { status: "cancelled" },
      refunds: [{ amountMinor: captured.amountMinor, status: "pending" }],
    });
    expect(await listOrders()).toMatchObject([{ status: "cancelled" }, { status: "confirmed" }]);
  });

  it("has a checkout that can be abandoned", async () => {
    const sale = await runScriptedCheckout(shop, captured);
    await cancelByBusiness(sale);
    expect(await abandonCheckout(sale.ctx, sale.checkout)).toBe("abandoned");
  });
});

describe("abandonCheckout while the cart has another order", () => {
  /** A checkout that was planned and never placed. */
  const createUnplacedCheckout = async ({ ctx, checkout }: ScriptedSale) => {
    const { id } = await createProduct(shop);
    return createPlannedCheckout(ctx, await createCart(ctx, newItem(id), checkout.request.cartId));
  };

  it("cancels that order when it is unpaid", async () => {
    const sale = await runScriptedCheckout(shop, declined);
    expect(await abandonCheckout(sale.ctx, await createUnplacedCheckout(sale))).toBe("abandoned");
    expect(await listOrders()).toMatchObject([{ status: "cancelled" }]);
  });

  it("returns sold when that order is paid, and a resumed run reports the sale", async () => {
    const sale = await runScriptedCheckout(shop, captured);
    const checkout = await createUnplacedCheckout(sale);
    expect(await abandonCheckout(sale.ctx, checkout)).toBe("sold");
    const goneOn = runCheckout(sale.ctx, checkout, () => {});
    await expect(goneOn).rejects.toBeInstanceOf(EarlierOrderSold);
    expect(await listOrders()).toMatchObject([{ status: "confirmed" }]);
  });
});

describe("a shopper whose declined charge was captured and whose order was then cancelled", () => {
  it("checks the same cart out with a new key and pays once", async () => {
    const { id: item_id } = await createProduct(shop);
    const ask = shopper(shop);
    const added = await ask("POST", "/cart/items", { body: { item_id } });
    const pay = (lastDigit: number) =>
      ask("POST", "/checkout", {
        body: {
          cart_id: Object(added.body).data.id,
          customer: { phone: "0241234567" },
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
        },
      });
    expect((await pay(3)).status).toBe(503);
    const [order] = await listOrders();
    await selectRows(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ? returning 1",
      order?.id,
    );
    await merchant(shop)("POST", `/orders/${order?.id}/cancel`, { body: {} });
    expect(await listOrders()).toMatchObject([{ status: "cancelled", payment_status: "refunded" }]);
    expect((await pay(0)).status).toBe(200);
    expect(await listOrders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
  });
});

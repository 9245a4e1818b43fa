import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import type { merchant } from "../support/world.ts";
import { dataOf } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const cash = (fields = {}) =>
  createOrder(shop, product.id, { payWith: "cash", quantity: 1, fields });

describe("POST /orders/{order_id}/payments/mark-paid", () => {
  const markPaid = ({ id }: PlacedOrder, body = {}) =>
    ask("POST", `/orders/${id}/payments/mark-paid`, { body: { method: "cash", ...body } });

  it("settles a cash payment, confirms the order and emits the events", async () => {
    const sale = await cash();
    const answer = await markPaid(sale, { reference: "till 4" });
    expect(dataOf(answer)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      payment: {
        id: sale.paymentId,
        provider: "cash",
        status: "succeeded",
        settled_at: expect.stringMatching(/Z$/),
        receipt: { method: "cash", reference: "till 4" },
      },
    });
    expect(await listOutboxEventTypes(shop)).toEqual([
      "order.created",
      "payment.completed",
      "order.updated",
    ]);
    expect(await listAuditActions(shop)).toContain("order.marked_paid");
  });

  it("returns the same result for a repeat and rejects another receipt", async () => {
    const sale = await cash();
    await Promise.all([markPaid(sale), markPaid(sale), markPaid(sale)]);
    expect(await markPaid(sale)).toMatchObject({ status: 200 });
    expect(await markPaid(sale, { reference: "other" })).toMatchObject(
      ruleViolation("INVALID_STATE"),
    );
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "payment.completed"),
    ).toHaveLength(1);
  });

  it("rejects a provider's payment and a cancelled order", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "1" });
    expect(await markPaid(sale)).toMatchObject(ruleViolation("INVALID_STATE"));
    const gone = await cash();
    await ask("POST", `/orders/${gone.id}/cancel`);
    expect(await markPaid(gone)).toMatchObject(ruleViolation("INVALID_STATE"));
  });

  it("keeps a completed order completed", async () => {
    const sale = await cash();
    await ask("POST", `/orders/${sale.id}/status`, { body: { status: "completed" } });
    expect(dataOf(await markPaid(sale))).toMatchObject({
      status: "completed",
      payment_status: "succeeded",
    });
  });
});

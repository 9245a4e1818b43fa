import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { dataOf, givenSale, type Sold } from "../support/orders.ts";
import { eventsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import type { merchant } from "../support/world.ts";
import { givenShopWithStock, rule } from "./given-orders.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, ask } = await givenShopWithStock());
});

const cash = (fields = {}) => givenSale(shop, product.id, { how: "cash", quantity: 1, fields });

describe("POST /orders/{order_id}/payments/mark-paid", () => {
  const markPaid = ({ id }: Sold, body = {}) =>
    ask("POST", `/orders/${id}/payments/mark-paid`, { body: { method: "cash", ...body } });

  it("settles the cash, confirms the order and tells so", async () => {
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
    expect(await eventsOf(shop)).toEqual(["order.created", "payment.completed", "order.updated"]);
    expect(await auditedActions(shop)).toContain("order.marked_paid");
  });

  it("is the same success when it is said again, and refuses another story", async () => {
    const sale = await cash();
    await Promise.all([markPaid(sale), markPaid(sale), markPaid(sale)]);
    expect(await markPaid(sale)).toMatchObject({ status: 200 });
    expect(await markPaid(sale, { reference: "other" })).toMatchObject(rule("INVALID_STATE"));
    expect((await eventsOf(shop)).filter((type) => type === "payment.completed")).toHaveLength(1);
  });

  it("refuses a provider's payment, and an order that is cancelled", async () => {
    const sale = await givenSale(shop, product.id, { how: "1" });
    expect(await markPaid(sale)).toMatchObject(rule("INVALID_STATE"));
    const gone = await cash();
    await ask("POST", `/orders/${gone.id}/cancel`);
    expect(await markPaid(gone)).toMatchObject(rule("INVALID_STATE"));
  });

  it("leaves a completed order completed", async () => {
    const sale = await cash();
    await ask("POST", `/orders/${sale.id}/status`, { body: { status: "completed" } });
    expect(dataOf(await markPaid(sale))).toMatchObject({
      status: "completed",
      payment_status: "succeeded",
    });
  });
});

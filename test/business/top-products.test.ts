import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { allocate, formatMoney, maxAmountMinor, parseMoney } from "../../shared/kernel/index.ts";
import { type Order, orderRepo } from "../../shared/orders/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { logIn } from "../support/sessions.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-03-10T12:00:00Z"));
  shop = await createBusiness();
  ask = merchant(shop);
});

const march = "?from=2030-03-01&to=2030-03-31";
const refund = (order: PlacedOrder, amountMinor: number) =>
  ask("POST", `/orders/${order.id}/refunds`, { body: { amount: formatMoney(amountMinor, "GHS") } });
const topProducts = async (query = march) =>
  dataOf(await ask("GET", `/reports/sales${query}`)).top_products;

/** Orders one of each product; the last product is ordered `quantity` times. */
async function orderAll(
  products: readonly Product[],
  quantities: readonly number[],
): Promise<PlacedOrder> {
  const client = shopper(shop);
  const [last, ...others] = products.map(({ id }, index) => ({
    id,
    quantity: quantities[index] ?? 1,
  }));
  for (const { id, quantity } of others)
    await client("POST", "/cart/items", { body: { item_id: id, quantity } });
  return createOrder(shop, last?.id ?? "", { ask: client, quantity: last?.quantity ?? 1 });
}

describe("top_products of GET /reports/sales", () => {
  it("counts a product's sales after discounts and refunds", async () => {
    const bread = await createProduct(shop, { name: "Bread", defaultPriceMinor: 3_000 });
    const tea = await createProduct(shop, { name: "Tea", defaultPriceMinor: 1_000 });
    await createDeal(shop);
    const order = await orderAll([bread, tea], [1, 1]); // 27.00 and 9.00 after ten percent
    await refund(order, 800); // 6.00 of the bread and 2.00 of the tea
    expect(await topProducts()).toEqual([
      { product_id: bread.id, product_name: "Bread", quantity: 1, revenue: "21.00" },
      { product_id: tea.id, product_name: "Tea", quantity: 1, revenue: "7.00" },
    ]);
  });

  it("leaves out a contained tax that an exempt customer did not pay", async () => {
    await changeSettings(shop, { tax: { ratePercent: "20", isInclusive: true } });
    await ask("POST", "/tax/classes", { body: { code: "untaxed", name: "Untaxed" } });
    const bread = await createProduct(shop, { defaultPriceMinor: 1_200 });
    const book = await createProduct(shop, { defaultPriceMinor: 3_000, taxClass: "untaxed" });
    const client = shopper(shop);
    await logIn(client, "+233241234567");
    const [customer] = dataOf(await ask("GET", "/customers")).items;
    await ask("PATCH", `/customers/${customer.id}`, { body: { is_tax_exempt: true } });
    await client("POST", "/cart/items", { body: { item_id: book.id } });
    const order = await createOrder(shop, bread.id, { quantity: 1, ask: client });
    const revenues = (ofBook: string, ofBread: string) => [
      { product_id: book.id, revenue: ofBook },
      { product_id: bread.id, revenue: ofBread },
    ];
    expect(await topProducts()).toMatchObject(revenues("30.00", "10.00"));
    await refund(order, 1_000);
    expect(await topProducts()).toMatchObject(revenues("22.50", "7.50"));
  });

  it("takes the refunded part of an added tax from the tax", async () => {
    await changeSettings(shop, { tax: { ratePercent: "25", isInclusive: false } });
    const bread = await createProduct(shop, { defaultPriceMinor: 4_000 });
    await refund(await createOrder(shop, bread.id, { quantity: 1 }), 1_000); // a fifth is tax
    expect(await topProducts()).toMatchObject([{ revenue: "32.00" }]);
  });

  it("leaves nothing of an order that is refunded whole, and counts a failed refund not at all", async () => {
    const bread = await createProduct(shop, { defaultPriceMinor: 1_001 });
    const order = await createOrder(shop, bread.id, { quantity: 1 });
    await refund(order, 1_001);
    expect(await topProducts()).toMatchObject([{ quantity: 1, revenue: "0.00" }]);
    await selectRows(shop, "update refunds set status = 'failed' where order_id = ?", order.id);
    expect(await topProducts()).toMatchObject([{ quantity: 1, revenue: "10.01" }]);
  });

  it("gives every line its largest remainder, so that the products sum to the order's items", async () => {
    const products = await Promise.all(
      [1, 333, 1_999, 70_001].map((defaultPriceMinor, index) =>
        createProduct(shop, { name: `Product ${index}`, defaultPriceMinor }),
      ),
    );
    await createDeal(shop, { value: "7.3" });
    const sales = fc.sample(
      fc.record({
        quantities: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 4, maxLength: 4 }),
        first: fc.integer({ min: 0, max: 3 }),
        refunds: fc.array(fc.double({ min: 0.001, max: 0.6, noNaN: true }), { maxLength: 3 }),
        rate: fc.constantFrom("0", "7.5", "15"),
        isInclusive: fc.boolean(),
      }),
      12,
    );
    for (const [index, sale] of sales.entries()) {
      vi.setSystemTime(Date.parse("2030-03-11T00:00:00Z") + index * 3_600_000);
      await changeSettings(shop, {
        tax: { ratePercent: sale.rate, isInclusive: sale.isInclusive },
      });
      const placed = await orderAll(products.slice(sale.first), sale.quantities);
      const before = await orderRepo(createOrderContext(shop)).get(placed.id);
      let leftMinor = before.order.totalPriceMinor;
      for (const fraction of sale.refunds) {
        const amountMinor = Math.max(1, Math.floor(leftMinor * fraction));
        if (amountMinor > leftMinor) break;
        expect((await refund(placed, amountMinor)).status).toBe(201);
        leftMinor -= amountMinor;
      }
      const refundedMinor = before.order.totalPriceMinor - leftMinor;
      const hour = `2030-03-11T${String(index).padStart(2, "0")}`;
      const shown = await topProducts(`?from=${hour}:00:00Z&to=${hour}:59:59Z`);
      const revenues = new Map<string, number>(
        shown.map((entry: { product_id: string; revenue: string }) => [
          entry.product_id,
          parseMoney(entry.revenue, "GHS"),
        ]),
      );
      const { itemsMinor, byProduct } = netItems(before.order, refundedMinor);
      expect(revenues).toEqual(byProduct);
      expect([...revenues.values()].reduce((sum, minor) => sum + minor, 0)).toBe(itemsMinor);
    }
  });

  it("shares the refund of the largest order exactly", async () => {
    const products = await Promise.all(
      [3_333_333_333_333, 3_333_333_333_331, 3_333_333_333_329].map((defaultPriceMinor) =>
        createProduct(shop, { defaultPriceMinor }),
      ),
    );
    const placed = await orderAll(products, [1, 1, 1]);
    const { order } = await orderRepo(createOrderContext(shop)).get(placed.id);
    expect(order.totalPriceMinor).toBeGreaterThan(maxAmountMinor - 10);
    await refund(placed, 7_777_777_777_777);
    const { byProduct } = netItems(order, 7_777_777_777_777);
    const expected = [...byProduct].map(([id, minor]) => ({
      product_id: id,
      revenue: formatMoney(minor, "GHS"),
    }));
    expect(await topProducts()).toEqual(
      expect.arrayContaining(expected.map((entry) => expect.objectContaining(entry))),
    );
  });
});

/** What is left of an order's items after refunds, in total and by product. */
function netItems(order: Order, refundedMinor: number) {
  const { lines, discounts, subtotalMinor, discountTotalMinor, totalPriceMinor } = order;
  const discountedMinor = subtotalMinor - discountTotalMinor;
  const [refundMinor = 0] = allocate(refundedMinor, [
    discountedMinor,
    totalPriceMinor - discountedMinor,
  ]);
  const amounts = lines.map(
    ({ quantity, unitPriceMinor }, index) =>
      quantity * unitPriceMinor -
      discounts.reduce((sum, { shares }) => sum + (shares[index] ?? 0), 0),
  );
  const refunds = allocate(refundMinor, amounts);
  return {
    itemsMinor: discountedMinor - refundMinor,
    byProduct: new Map(
      lines.map(({ productId }, index) => [
        productId,
        (amounts[index] ?? 0) - (refunds[index] ?? 0),
      ]),
    ),
  };
}

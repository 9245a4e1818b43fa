import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

/** The query plan of a statement. */
const planOf = async (query: string, ...values: unknown[]) =>
  (await selectRows(shop, `explain query plan ${query}`, ...values)).map(({ detail }) => detail);

it("reads a customer's and a business's subscriptions in index order", async () => {
  expect(
    await planOf(
      "select * from subscriptions where business_id = ? and customer_id = ? order by created_at desc, id desc limit 100",
      "biz_1",
      "cus_1",
    ),
  ).toEqual([
    "SEARCH subscriptions USING INDEX subscriptions_by_customer (business_id=? AND customer_id=?)",
  ]);
  expect(
    await planOf(
      "select * from subscriptions where business_id = ? and (created_at, id) < (?, ?) order by created_at desc, id desc limit 21",
      "biz_1",
      1,
      "sub_1",
    ),
  ).toEqual([expect.stringContaining("USING INDEX subscriptions_newest (business_id=?")]);
});

it("finds due subscriptions without scanning others", async () => {
  const plan = await planOf(
    "select id from subscriptions where due_at is not null and due_at <= ? order by due_at limit 3",
    1,
  );
  expect(plan).toEqual([expect.stringMatching(/INDEX subscriptions_due \(.*due_at<\?/)]);
});

it("finds a subscription's invoices, its open invoice and an order's invoice by index", async () => {
  for (const condition of [
    "subscription_id = 'sub_1' order by cycle desc limit 12",
    "subscription_id = 'sub_1' and status = 'open' order by cycle limit 1",
    "order_id = 'ord_1' and subscription_id = 'sub_1'",
  ]) {
    const plan = await planOf(`select * from subscription_invoices where ${condition}`);
    expect(plan).toEqual([expect.stringMatching(/^SEARCH .* USING INDEX subscription_invoices_/)]);
  }
});

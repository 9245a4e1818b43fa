import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  createSubscription,
  loadSubscription,
  runCronAt,
} from "../subscriptions/create-subscription.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";
import { findNewestOrder, firstRenewalTime, startTime } from "./renewal-state.ts";

let shop: CreatedBusiness;

const ask = (method: string, path: string, body?: object) =>
  merchant(shop)(method, path, body ? { body } : {});

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  await ask("POST", "/tax/classes", { code: "reduced", name: "Reduced" });
});

/** Two units at 7.00 in each period. */
it("charges a renewal at the current rate of the product's class", async () => {
  const rate = { name: "VAT", country: "GH", rate_percent: "5", tax_class: "reduced" };
  const { id } = dataOf(await ask("POST", "/tax/rates", rate));
  const subscribed = await createSubscription(shop, { product: { taxClass: "reduced" } });
  expect(await loadSubscription(subscribed)).toMatchObject({
    next_invoice: { amount_due: "14.70" },
  });
  await ask("PATCH", `/tax/rates/${id}`, { rate_percent: "10" });
  const detail = await ask("GET", `/subscriptions/${subscribed.id}`);
  expect(dataOf(detail)).toMatchObject({ next_invoice: { amount_due: "15.40" } });
  expect(roundTrips(detail).d1).toBe(2);
  await runCronAt(shop, firstRenewalTime);
  const order = dataOf(await ask("GET", `/orders/${await findNewestOrder(shop)}`));
  expect(order).toMatchObject({
    tax_lines: [{ name: "VAT", rate_percent: "10", taxable_amount: "14.00", amount: "1.40" }],
    items: [{ tax_amount: "1.40" }],
    total_price: "15.40",
  });
});

it("charges no tax to a customer who is exempt by then", async () => {
  await ask("POST", "/tax/rates", { name: "VAT", country: "GH", rate_percent: "5" });
  const subscribed = await createSubscription(shop);
  await ask("PATCH", `/customers/${subscribed.customerId}`, { is_tax_exempt: true });
  expect(await loadSubscription(subscribed)).toMatchObject({
    next_invoice: { amount_due: "14.00" },
  });
  await runCronAt(shop, firstRenewalTime);
  const order = dataOf(await ask("GET", `/orders/${await findNewestOrder(shop)}`));
  expect(order).toMatchObject({ tax_lines: [], tax_total: "0.00", total_price: "14.00" });
});

it("keeps the contained tax that an exempt customer did not pay with the line", async () => {
  await changeSettings(shop, { tax: { ratePercent: "40", isInclusive: true } });
  const subscribed = await createSubscription(shop);
  await ask("PATCH", `/customers/${subscribed.customerId}`, { is_tax_exempt: true });
  await runCronAt(shop, Date.parse(firstRenewalTime) + day);
  const orderId = await findNewestOrder(shop);
  expect(dataOf(await ask("GET", `/orders/${orderId}`))).toMatchObject({ total_price: "10.00" });
  const stored = "select exempted_tax_minor from order_lines where order_id = ?";
  expect(await selectRows(shop, stored, orderId)).toEqual([{ exempted_tax_minor: 400 }]);
});

import { expect, it } from "vitest";
import { givenCustomer, phoneOf } from "../support/customers.ts";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, shopper } from "../support/world.ts";
import { givenBooking, givenService, givenShop, had } from "./given.ts";

it("an erased customer's bookings keep their times, and lose every word about them", async () => {
  const shop = await givenShop();
  const ask = merchant(shop);
  const { id } = await givenCustomer(shop, phoneOf("+233241234567"));
  const { booking, token } = await givenBooking(shop, await givenService(shop));
  const cancelled = await had(
    shopper(shop)("POST", `/scheduling/bookings/${booking.id}/cancel?token=${token}`, {
      body: { reason: "Ama Mensah is ill" },
    }),
  );
  const exported = async () => (await had(ask("GET", `/customers/${id}/data`))).bookings;
  expect(await exported()).toEqual([cancelled]);
  await had(ask("DELETE", `/customers/${id}/data`));
  expect(await exported()).toEqual([{ ...cancelled, customer_id: id, cancellation_reason: null }]);
  for (const table of ["bookings", "events", "audit_entries", "slot_claims"]) {
    const rows = await rowsOf(
      shop,
      `select * from ${table} where business_id = ?`,
      shop.business.id,
    );
    expect(JSON.stringify(rows)).not.toContain("Ama Mensah");
  }
});

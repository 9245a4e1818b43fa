import { expect, it } from "vitest";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { selectRows } from "../support/select-rows.ts";
import { merchant, shopper } from "../support/world.ts";
import { createBooking, createBookingShop, createService, requireData } from "./create-booking.ts";

it("erasing a customer keeps the times of bookings and removes free text", async () => {
  const shop = await createBookingShop();
  const ask = merchant(shop);
  const { id } = await createCustomer(shop, phoneContact("+233241234567"));
  const { booking, token } = await createBooking(shop, await createService(shop));
  const cancelled = await requireData(
    shopper(shop)("POST", `/scheduling/bookings/${booking.id}/cancel?token=${token}`, {
      body: { reason: "Ama Mensah is ill" },
    }),
  );
  const exportBookings = async () =>
    (await requireData(ask("GET", `/customers/${id}/data`))).bookings;
  expect(await exportBookings()).toEqual([cancelled]);
  await requireData(ask("DELETE", `/customers/${id}/data`));
  expect(await exportBookings()).toEqual([
    { ...cancelled, customer_id: id, cancellation_reason: null },
  ]);
  for (const table of ["bookings", "events", "audit_entries", "slot_claims"]) {
    const rows = await selectRows(
      shop,
      `select * from ${table} where business_id = ?`,
      shop.business.id,
    );
    expect(JSON.stringify(rows)).not.toContain("Ama Mensah");
  }
});

import { z } from "@hono/zod-openapi";
import type { BookingRequest } from "../../../shared/checkout/index.ts";
import { invalid } from "../../../shared/kernel/index.ts";
import { customerDetailFields, toCustomerDetails } from "../../wire/customer-details.ts";
import { date, id, instant, queryInteger } from "../../wire/fields.ts";

/** As the quantity of a line. */
const maxParticipants = 100;

/** What the business books for a customer (docs/contract/business.md#booking-create). */
export const NewBookingBody = z
  .object({
    service_id: id(),
    start_time: instant(),
    variant_id: id().nullish(),
    staff_id: id().nullish(),
    location_id: id().nullish(),
    add_on_options: z.array(id()).max(50).nullish(),
    participant_count: z.number().int().min(1).max(maxParticipants).default(1),
    customer: z.object(customerDetailFields),
    payment: z.enum(["cash", "link"]).default("cash"),
  })
  .openapi("NewBooking");

/** @throws Refusal VALIDATION_ERROR without a name or a contact, or for an invalid contact. */
export function toBookingRequest(
  body: z.infer<typeof NewBookingBody>,
  { defaultCountry, origin }: Readonly<{ defaultCountry: string; origin: string }>,
): BookingRequest {
  return {
    serviceId: body.service_id,
    variantId: body.variant_id ?? null,
    locationId: body.location_id ?? null,
    addOnOptionIds: body.add_on_options ?? [],
    participants: body.participant_count,
    slot: { start: body.start_time, end: null, staffId: body.staff_id ?? null },
    customer: requirePerson(toCustomerDetails(body.customer, { defaultCountry })),
    payment: body.payment,
    origin,
  };
}

function requirePerson(customer: BookingRequest["customer"]): BookingRequest["customer"] {
  const { name, email, phone } = customer;
  if (name === null && email === null && phone === null)
    throw invalid("customer.name", "a name, an e-mail address or a phone is required");
  return customer;
}

/** The slots of a service on a day, as the business may book them. */
export const SlotDayQuery = z.object({
  date: date(),
  variant_id: id().optional(),
  location_id: id().optional(),
  staff_id: id().optional(),
  participant_count: queryInteger(1, maxParticipants).default(1),
});

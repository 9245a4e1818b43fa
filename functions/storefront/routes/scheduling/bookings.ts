import { z } from "@hono/zod-openapi";
import { loginEnded } from "../../../../shared/customers/index.ts";
import { notFound, sha256 } from "../../../../shared/kernel/index.ts";
import {
  type BookedOrder,
  type BookingName,
  bookedOrderRepo,
  type ChangedBooking,
  cancelBooking,
  rescheduleBooking,
  rescheduleTypes,
} from "../../../../shared/orders/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { requestKeyOf } from "../../../http/idempotency/key.ts";
import { chance } from "../../../runtime/runtime.ts";
import { id, instant, pageLimit, queryInteger, text } from "../../../wire/fields.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import type { StorefrontBindings } from "../../env.ts";
import { orderContext } from "../../order-context.ts";
import { type BillTokenQuery, billTokenQuery } from "../../requests/bill-token.ts";
import { sessionLogin } from "../../session-call.ts";
import { answersOfOrder } from "../../views/order-answers.ts";

const params = z.object({ booking_id: id() });

const ListQuery = z.object({
  when: z.enum(["upcoming", "past"]).optional(),
  limit: pageLimit(),
  offset: queryInteger(0, 1_000_000).default(0),
});

const RescheduleBody = z.object({
  order_id: id(),
  line_item_id: id(),
  new_start_time: instant(),
  new_end_time: instant(),
  new_staff_id: id().nullish(),
  reason: text(500).nullish(),
  reschedule_type: z.enum(rescheduleTypes).nullish(),
});

/** interface.md, Scheduling: what is booked; completions.md 8. */
export const schedulingBookings = area<StorefrontBindings>()
  .openapi(
    contract("get", "/scheduling/bookings", {
      summary: "The customer's bookings: what is to come the soonest first, else the latest first",
      access,
      query: ListQuery,
      answer: z.array(BookingView),
    }),
    async (c) => {
      const login = await sessionLogin(c);
      if (login === null) throw unauthorized("Log in to see your bookings.");
      const { when = null, ...page } = c.req.valid("query");
      const bookings = bookedOrderRepo(orderContext(c));
      const found = await bookings.listOfCustomer(login, { when, now: chance.now(), ...page });
      if (found === null) throw loginEnded();
      return c.json(answer(found.map(viewBooking)), 200);
    },
  )
  .openapi(
    contract("get", "/scheduling/bookings/{booking_id}", {
      summary: "One booking",
      access,
      params,
      query: billTokenQuery,
      answer: BookingView,
    }),
    async (c) => {
      const { booking_id } = c.req.valid("param");
      const { booking } = await visibleBooking(c, { id: booking_id }, c.req.valid("query"));
      return c.json(answer(viewBooking(booking)), 200);
    },
  )
  .openapi(
    contract("post", "/scheduling/bookings/{booking_id}/cancel", {
      summary: "Cancel a booking; its order and the money stay as they are",
      access,
      params,
      query: billTokenQuery,
      body: json(z.object({ reason: text(500).nullish() })),
      answer: BookingView,
      answersOf: answersOfOrder,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const { booking_id } = c.req.valid("param");
      const found = await visibleBooking(c, { id: booking_id }, c.req.valid("query"));
      const { reason = null } = c.req.valid("json");
      const requestKey = await requestKeyOf(c, { reason });
      const cancellation = { reason, by: "customer", requestKey } as const;
      return changed(c, await cancelBooking(orderContext(c), found, cancellation));
    },
  )
  .openapi(
    contract("post", "/scheduling/bookings/reschedule", {
      summary: "Move a booking to another time of the same length",
      access,
      query: billTokenQuery,
      body: json(RescheduleBody),
      answer: BookingView,
      answersOf: answersOfOrder,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const body = c.req.valid("json");
      const name = { orderId: body.order_id, lineItemId: body.line_item_id };
      const found = await visibleBooking(c, name, c.req.valid("query"));
      const moved = await rescheduleBooking(orderContext(c), found, {
        start: body.new_start_time,
        end: body.new_end_time,
        staffId: body.new_staff_id ?? null,
        reason: body.reason ?? null,
        type: body.reschedule_type ?? "customer",
        by: "customer",
        requestKey: await requestKeyOf(c, body),
      });
      return changed(c, moved);
    },
  );

function changed(c: RequestContext<StorefrontBindings>, { booking, isReplay }: ChangedBooking) {
  if (isReplay) c.header("Idempotency-Replayed", "true");
  return c.json(answer(viewBooking(booking)), 200);
}

/** @throws Refusal NOT_FOUND without its order's token or its customer, as for a booking that does not exist. */
async function visibleBooking(
  c: RequestContext<StorefrontBindings>,
  name: BookingName,
  { token }: BillTokenQuery,
): Promise<BookedOrder> {
  const bookings = bookedOrderRepo(orderContext(c));
  if (token !== undefined) {
    return bookings.get(name, { type: "token", billTokenHash: await sha256(token) });
  }
  const login = await sessionLogin(c);
  if (login === null) throw notFound("booking");
  return bookings.get(name, { type: "login", login });
}

import { z } from "@hono/zod-openapi";
import { loginEndedRefusal } from "../../../../shared/customers/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  type BookedOrder,
  type BookingRef,
  bookedOrderRepo,
  type ChangeBookingResult,
  cancelBooking,
  rescheduleBooking,
  rescheduleTypes,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, instant, queryInteger, text } from "../../../wire/fields.ts";
import { createPage, cursorWithOffsetIssue, pageHeaders, pageQuery } from "../../../wire/paging.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import { loadLogin } from "../../caller-session.ts";
import type { StorefrontBindings, StorefrontContext } from "../../env.ts";
import { createOrderContext } from "../../order-context.ts";
import { readTokenProof } from "../../order-token.ts";
import { type BillTokenQuery, billTokenQuery } from "../../requests/bill-token.ts";
import { storeByOrder } from "../../response-stores.ts";

const params = z.object({ booking_id: id() });

const ListQuery = z
  .object({
    ...pageQuery,
    when: z.enum(["upcoming", "past"]).optional(),
    offset: queryInteger(0, 1_000_000).optional(),
  })
  .refine(
    ({ cursor, offset }) => cursor === undefined || offset === undefined,
    cursorWithOffsetIssue,
  );

const RescheduleBody = z.object({
  order_id: id(),
  line_item_id: id(),
  new_start_time: instant(),
  new_end_time: instant(),
  new_staff_id: id().nullish(),
  reason: text(500).nullish(),
  reschedule_type: z.enum(rescheduleTypes).nullish(),
});

/** The shopper's calls for bookings (docs/contract/storefront.md#scheduling-calls). */
export const schedulingBookings = createRoutes<StorefrontBindings>()
  .openapi(
    route("get", "/scheduling/bookings", {
      operationId: "listBookings",
      tag: "Bookings",
      summary: "List the customer's bookings: upcoming ones soonest first, otherwise latest first",
      access,
      session: "required",
      query: ListQuery,
      response: z.array(BookingView),
    }),
    async (c) => {
      const { when: period = null, limit, cursor, offset = 0 } = c.req.valid("query");
      const last = parseNumberPosition(cursor, "bk_");
      const login = await loadLogin(c);
      if (login === null) throw unauthorized("Log in to see your bookings.");
      const bookings = await bookedOrderRepo(createOrderContext(c)).listOfCustomer(login, {
        period,
        now: runtime.now(),
        limit: limit + 1,
        offset,
        after: last && { startTime: last.number, id: last.id },
      });
      if (bookings === null) throw loginEndedRefusal();
      const page = createPage(bookings, {
        limit,
        view: viewBooking,
        position: ({ startTime, id }) => formatNumberPosition(startTime, id),
      });
      return c.json(envelope(page.items), 200, pageHeaders(page));
    },
  )
  .openapi(
    route("get", "/scheduling/bookings/{booking_id}", {
      operationId: "getBooking",
      tag: "Bookings",
      summary: "Get a booking",
      access,
      session: "optional",
      params,
      query: billTokenQuery,
      response: BookingView,
    }),
    async (c) => {
      const { booking_id } = c.req.valid("param");
      const { booking } = await requireVisibleBooking(c, { id: booking_id }, c.req.valid("query"));
      return c.json(envelope(viewBooking(booking)), 200);
    },
  )
  .openapi(
    route("post", "/scheduling/bookings/{booking_id}/cancel", {
      operationId: "cancelBooking",
      tag: "Bookings",
      summary: "Cancel a booking",
      description: "Its order and payment do not change.",
      access,
      session: "optional",
      rules: ["INVALID_STATE", "CANCELLATION_WINDOW_CLOSED"],
      params,
      query: billTokenQuery,
      body: requireJson(z.object({ reason: text(500).nullish() })),
      response: BookingView,
      idempotency: { store: storeByOrder, replay: "same" },
    }),
    async (c) => {
      const { booking_id } = c.req.valid("param");
      const order = await requireVisibleBooking(c, { id: booking_id }, c.req.valid("query"));
      const { reason = null } = c.req.valid("json");
      const requestKey = await createRequestKey(c, { reason });
      const cancellation = { reason, initiator: "customer", requestKey } as const;
      return respondWithBooking(c, await cancelBooking(createOrderContext(c), order, cancellation));
    },
  )
  .openapi(
    route("post", "/scheduling/bookings/reschedule", {
      operationId: "rescheduleBooking",
      tag: "Bookings",
      summary: "Reschedule a booking to another time of the same length",
      access,
      session: "optional",
      rules: ["INVALID_STATE", "CANCELLATION_WINDOW_CLOSED", "SLOT_INVALID", "SLOT_UNAVAILABLE"],
      query: billTokenQuery,
      body: requireJson(RescheduleBody),
      response: BookingView,
      idempotency: { store: storeByOrder, replay: "same" },
    }),
    async (c) => {
      const body = c.req.valid("json");
      const ref = { orderId: body.order_id, lineItemId: body.line_item_id };
      const order = await requireVisibleBooking(c, ref, c.req.valid("query"));
      const moved = await rescheduleBooking(createOrderContext(c), order, {
        start: body.new_start_time,
        end: body.new_end_time,
        staffId: body.new_staff_id ?? null,
        reason: body.reason ?? null,
        type: body.reschedule_type ?? "customer",
        initiator: "customer",
        requestKey: await createRequestKey(c, body),
      });
      return respondWithBooking(c, moved);
    },
  );

function respondWithBooking(c: StorefrontContext, { booking, isReplay }: ChangeBookingResult) {
  if (isReplay) c.header("Idempotency-Replayed", "true");
  return c.json(envelope(viewBooking(booking)), 200);
}

/**
 * @throws Refusal NOT_FOUND when the booking is unknown, or the caller has neither its order's
 * token nor its customer's login.
 */
async function requireVisibleBooking(
  c: StorefrontContext,
  ref: BookingRef,
  { token }: BillTokenQuery,
): Promise<BookedOrder> {
  const bookings = bookedOrderRepo(createOrderContext(c));
  if (token !== undefined) {
    return bookings.get(ref, { type: "token", proof: await readTokenProof(c, token) });
  }
  const login = await loadLogin(c);
  if (login === null) throw notFound("booking");
  return bookings.get(ref, { type: "login", login });
}

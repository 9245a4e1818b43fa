import { z } from "@hono/zod-openapi";
import {
  type BookedOrder,
  bookedOrderRepo,
  cancelBooking,
  closeBooking,
  type OrderContext,
  rescheduleBooking,
  rescheduleTypes,
} from "../../../../shared/orders/index.ts";
import { bookingListRepo, bookingStatuses } from "../../../../shared/scheduling/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract, json } from "../../../http/contract.ts";
import { requestKeyOf } from "../../../http/idempotency/key.ts";
import { id, instant, text } from "../../../wire/fields.ts";
import { Page, pageOf, pageQuery } from "../../../wire/paging.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import { merchantContext } from "../../context.ts";
import { merchantOrderContext } from "../../order-context.ts";
import { bound, within } from "../../requests/bounds.ts";
import { numberPosition, numberPositionOf } from "../../requests/list-position.ts";

const path = "/v1/businesses/{business_id}/bookings";
const onePath = `${path}/{booking_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ booking_id: id() });

const BookingQuery = z.object({
  ...pageQuery,
  from: bound().optional(),
  to: bound().optional(),
  service_id: id().optional(),
  status: z.enum(bookingStatuses).optional(),
});

const RescheduleBody = z.object({
  new_start_time: instant(),
  new_end_time: instant(),
  new_staff_id: id().nullish(),
  reason: text(500).nullish(),
  reschedule_type: z.enum(rescheduleTypes).nullish(),
});

/** business-surface.md, Services and bookings. */
export const bookings = area()
  .openapi(
    contract("get", path, {
      summary: "The business's bookings by their start, the earliest first",
      access: secretKey("orders:read"),
      params,
      query: BookingQuery,
      answer: Page(BookingView),
    }),
    async (c) => {
      const { limit, cursor, service_id: serviceId, status, ...bounds } = c.req.valid("query");
      const last = numberPosition(cursor);
      const ctx = merchantContext(c);
      const found = await bookingListRepo(ctx).list(
        { ...within(bounds, ctx.business), serviceId, status },
        { limit: limit + 1, after: last && { startTime: last.number, id: last.id } },
      );
      const page = pageOf(found, {
        limit,
        view: viewBooking,
        position: ({ startTime, id }) => numberPositionOf(startTime, id),
      });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/status`, {
      summary: "Say how a confirmed booking went",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(z.object({ status: z.enum(["completed", "no_show"]) })),
      answer: BookingView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const found = await bookingOf(ctx, c.req.valid("param"));
      const { status } = c.req.valid("json");
      const requestKey = await requestKeyOf(c, { status });
      const { booking } = await closeBooking(ctx, found, { status, requestKey });
      return c.json(answer(viewBooking(booking)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/cancel`, {
      summary: "Cancel one booking, at any time; its order and the money stay as they are",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(z.object({ reason: text(500).nullish() })),
      answer: BookingView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const found = await bookingOf(ctx, c.req.valid("param"));
      const { reason = null } = c.req.valid("json");
      const requestKey = await requestKeyOf(c, { reason });
      const { booking } = await cancelBooking(ctx, found, { reason, by: "business", requestKey });
      return c.json(answer(viewBooking(booking)), 200);
    },
  )
  .openapi(
    contract("post", `${onePath}/reschedule`, {
      summary: "Move a booking to another time of the same length, at any time",
      access: secretKey("orders:write"),
      params: oneParams,
      body: json(RescheduleBody),
      answer: BookingView,
      knowsRepeats: "alike",
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const found = await bookingOf(ctx, c.req.valid("param"));
      const body = c.req.valid("json");
      const { booking } = await rescheduleBooking(ctx, found, {
        start: body.new_start_time,
        end: body.new_end_time,
        staffId: body.new_staff_id ?? null,
        reason: body.reason ?? null,
        type: body.reschedule_type ?? "business",
        by: "business",
        requestKey: await requestKeyOf(c, body),
      });
      return c.json(answer(viewBooking(booking)), 200);
    },
  );

const bookingOf = (
  ctx: OrderContext,
  { booking_id }: { booking_id: string },
): Promise<BookedOrder> => bookedOrderRepo(ctx).get({ id: booking_id }, { type: "business" });

import { z } from "@hono/zod-openapi";
import { bookedOrderRepo, closeBooking } from "../../../shared/orders/index.ts";
import { bookingListRepo, bookingStatuses } from "../../../shared/scheduling/index.ts";
import { secretKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id, instant } from "../../http/fields.ts";
import { requestKeyOf } from "../../http/idempotency-key.ts";
import { Page, pageOf, pageQuery } from "../../http/paging.ts";
import { BookingView, viewBooking } from "../../http/views/booking.ts";
import { merchantContext } from "../context.ts";
import { numberPosition, numberPositionOf } from "../list-position.ts";
import { merchantOrderContext } from "../order-context.ts";

const path = "/v1/businesses/{business_id}/bookings";
const params = z.object({ business_id: id() });

const BookingQuery = z.object({
  ...pageQuery,
  from: instant().optional(),
  to: instant().optional(),
  service_id: id().optional(),
  status: z.enum(bookingStatuses).optional(),
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
      const { limit, cursor, service_id: serviceId, ...filter } = c.req.valid("query");
      const last = numberPosition(cursor);
      const found = await bookingListRepo(merchantContext(c)).list(
        { ...filter, serviceId },
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
    contract("post", `${path}/{booking_id}/status`, {
      summary: "Say how a confirmed booking went",
      access: secretKey("orders:write"),
      params: params.extend({ booking_id: id() }),
      body: json(z.object({ status: z.enum(["completed", "no_show"]) })),
      answer: BookingView,
    }),
    async (c) => {
      const ctx = merchantOrderContext(c);
      const name = { id: c.req.valid("param").booking_id };
      const found = await bookedOrderRepo(ctx).get(name, { type: "business" });
      const { status } = c.req.valid("json");
      const requestKey = await requestKeyOf(c, { status });
      const { booking } = await closeBooking(ctx, found, { status, requestKey });
      return c.json(answer(viewBooking(booking)), 200);
    },
  );

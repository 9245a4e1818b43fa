import { z } from "@hono/zod-openapi";
import { bookService } from "../../../../shared/checkout/index.ts";
import {
  type BookedOrder,
  bookedOrderRepo,
  cancelBooking,
  closeBooking,
  type OrderContext,
  rescheduleBooking,
  rescheduleTypes,
} from "../../../../shared/orders/index.ts";
import { bookingListQuery, bookingStatuses } from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { publicAddressOf } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { createRequestKey } from "../../../http/idempotency/idempotency-key.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id, instant, text } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import { createCheckoutContext } from "../../checkout-context.ts";
import { createMerchantContext } from "../../context.ts";
import { createMerchantOrderContext } from "../../order-context.ts";
import { NewBookingBody, toBookingRequest } from "../../requests/booking-fields.ts";
import { timeBound, toTimeFilter } from "../../requests/time-bounds.ts";
import { createPaymentLinkView } from "../../views/orders/payment-link.ts";
import {
  CreatedBookingView,
  ListedBookingView,
  viewCreatedBooking,
  viewListedBooking,
} from "../../views/scheduling/booking.ts";

const path = "/v1/businesses/{business_id}/bookings";
const onePath = `${path}/{booking_id}` as const;
const params = z.object({ business_id: id() });
const oneParams = params.extend({ booking_id: id() });

const BookingQuery = z.object({
  ...pageQuery,
  from: timeBound().optional(),
  to: timeBound().optional(),
  customer: id().optional(),
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

/** The business's calls for bookings (docs/contract/business.md#booking-calls). */
export const bookings = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listBookings",
      tag: "Bookings",
      summary: "List bookings by start time, earliest first",
      access: secretKey("orders:read"),
      params,
      query: BookingQuery,
      response: Page(ListedBookingView),
    }),
    async (c) => {
      const { limit, cursor, ...filter } = c.req.valid("query");
      const { customer: customerId, service_id: serviceId, status, ...bounds } = filter;
      const last = parseNumberPosition(cursor);
      const ctx = createMerchantContext(c);
      const bookings = await bookingListQuery(ctx).list(
        { ...toTimeFilter(bounds, ctx.business), customerId, serviceId, status },
        { limit: limit + 1, after: last && { startTime: last.number, id: last.id } },
      );
      const page = createPage(bookings, {
        limit,
        view: viewListedBooking,
        position: ({ startTime, id }) => formatNumberPosition(startTime, id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", path, {
      operationId: "createBooking",
      tag: "Bookings",
      summary: "Book a service for a customer",
      description: "Places an order of one line, to be paid at the business or by a payment link.",
      access: secretKey("orders:write"),
      rules: [
        "ITEM_UNAVAILABLE",
        "OUT_OF_STOCK",
        "PAYMENT_METHOD_UNAVAILABLE",
        "SELECTION_INVALID",
        "SLOT_UNAVAILABLE",
      ],
      params,
      body: requireJson(NewBookingBody),
      response: CreatedBookingView,
      status: 201,
    }),
    async (c) => {
      const body = c.req.valid("json");
      const ctx = await createCheckoutContext(c, body.location_id ?? null);
      const { defaultCountry } = ctx.business;
      const { origin } = publicAddressOf(c);
      const request = toBookingRequest(body, { defaultCountry, origin });
      const { details, linkExpiresAt: expiresAt } = await bookService(ctx, request);
      const orderId = details.order.id;
      const link = expiresAt === null ? null : { orderId, expiresAt };
      const paymentLink = link && (await createPaymentLinkView(c, link));
      return c.json(envelope(viewCreatedBooking(details, paymentLink)), 201);
    },
  )
  .openapi(
    route("post", `${onePath}/status`, {
      operationId: "changeBookingStatus",
      tag: "Bookings",
      summary: "Set a confirmed booking to completed or no_show",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(z.object({ status: z.enum(["completed", "no_show"]) })),
      response: BookingView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const order = await getBookedOrder(ctx, c.req.valid("param"));
      const { status } = c.req.valid("json");
      const requestKey = await createRequestKey(c, { status });
      const { booking } = await closeBooking(ctx, order, { status, requestKey });
      return c.json(envelope(viewBooking(booking)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/cancel`, {
      operationId: "cancelBooking",
      tag: "Bookings",
      summary: "Cancel a booking at any time",
      description: "Its order and payment do not change.",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE"],
      params: oneParams,
      body: requireJson(z.object({ reason: text(500).nullish() })),
      response: BookingView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const order = await getBookedOrder(ctx, c.req.valid("param"));
      const { reason = null } = c.req.valid("json");
      const requestKey = await createRequestKey(c, { reason });
      const { booking } = await cancelBooking(ctx, order, {
        reason,
        initiator: "business",
        requestKey,
      });
      return c.json(envelope(viewBooking(booking)), 200);
    },
  )
  .openapi(
    route("post", `${onePath}/reschedule`, {
      operationId: "rescheduleBooking",
      tag: "Bookings",
      summary: "Reschedule a booking to another time of the same length",
      access: secretKey("orders:write"),
      rules: ["INVALID_STATE", "SLOT_INVALID", "SLOT_UNAVAILABLE"],
      params: oneParams,
      body: requireJson(RescheduleBody),
      response: BookingView,
      idempotency: { replay: "same" },
    }),
    async (c) => {
      const ctx = createMerchantOrderContext(c);
      const order = await getBookedOrder(ctx, c.req.valid("param"));
      const body = c.req.valid("json");
      const { booking } = await rescheduleBooking(ctx, order, {
        start: body.new_start_time,
        end: body.new_end_time,
        staffId: body.new_staff_id ?? null,
        reason: body.reason ?? null,
        type: body.reschedule_type ?? "business",
        initiator: "business",
        requestKey: await createRequestKey(c, body),
      });
      return c.json(envelope(viewBooking(booking)), 200);
    },
  );

const getBookedOrder = (
  ctx: OrderContext,
  { booking_id }: { booking_id: string },
): Promise<BookedOrder> => bookedOrderRepo(ctx).get({ id: booking_id }, { type: "business" });

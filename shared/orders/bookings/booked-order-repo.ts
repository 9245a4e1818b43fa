import { type SQL, sql } from "drizzle-orm";
import { isLoginActive, type Login, loginRepo } from "../../customers/index.ts";
import type { Context } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  type BookedService,
  type Booking,
  bookedServiceQueries,
  bookingListQuery,
  type CustomerBookingPage,
  toBookedService,
  toBooking,
} from "../../scheduling/index.ts";
import {
  type OrderDetails,
  type OrderRecord,
  orderDetailsQueries,
  toOrderRecords,
} from "../order-details-query.ts";
import { opensOrder } from "../token-proof.ts";

/**
 * How the caller proves access to a booking: as the business, as the logged-in customer, or with
 * a token of the order.
 */
type BookingAccess =
  | Readonly<{ type: "token"; proof: string }>
  | Readonly<{ type: "login"; login: Login }>
  | Readonly<{ type: "business" }>;

/** Names a booking: by its id, or by its order and order line. */
export type BookingRef =
  | Readonly<{ id: string }>
  | Readonly<{ orderId: string; lineItemId: string }>;

/** A booking with its order and the service that was booked. */
export type BookedOrder = Readonly<{
  details: OrderDetails;
  booking: Booking;
  bookedService: BookedService;
}>;

/** The bookings of one business, each loaded with its order. */
export function bookedOrderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  // Reads the table bookings of shared/scheduling.
  const orderIdQuery = (ref: BookingRef): SQL =>
    "id" in ref
      ? sql`(select named.order_id from bookings as named where named.id = ${ref.id} and named.business_id = ${business.id})`
      : sql`(${ref.orderId})`;

  return {
    /**
     * Loads the booking in one round trip. A booking that the caller may not access is NOT_FOUND.
     * @throws Refusal NOT_FOUND.
     */
    async get(ref: BookingRef, access: BookingAccess): Promise<BookedOrder> {
      const ids = orderIdQuery(ref);
      const login = access.type === "login" ? access.login : noLogin;
      const [customers, services, staff, resources, claims, ...records] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        ...bookedServiceQueries(ctx, ids),
        ...orderDetailsQueries(ctx, ids),
      ]);
      const [record] = toOrderRecords(records);
      const booking = record?.details.bookings.find((candidate) => isReferenced(candidate, ref));
      if (!record || !booking || !mayAccess(access, record, customers)) throw notFound("booking");
      const booked = toBookedService(booking, [services, staff, resources, claims]);
      return { details: record.details, booking, bookedService: booked };
    },

    /**
     * Lists the customer's bookings in one round trip. Returns null when the customer is no longer
     * logged in.
     */
    async listOfCustomer(login: Login, page: CustomerBookingPage): Promise<Booking[] | null> {
      const [customers, rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        bookingListQuery(ctx).ofCustomerQuery(login.customerId, page),
      ]);
      return isLoginActive(login, customers) ? rows.map(toBooking) : null;
    },
  };
}

const noLogin: Login = { customerId: "", loggedInAt: 0 };

function mayAccess(
  access: BookingAccess,
  { details, billTokenHash }: OrderRecord,
  customers: Parameters<typeof isLoginActive>[1],
): boolean {
  switch (access.type) {
    case "token":
      return opensOrder(access.proof, { orderId: details.order.id, billTokenHash });
    case "login":
      return (
        details.order.customerId === access.login.customerId &&
        isLoginActive(access.login, customers)
      );
    case "business":
      return true;
  }
}

const isReferenced = (booking: Booking, ref: BookingRef): boolean =>
  "id" in ref ? booking.id === ref.id : booking.lineItemId === ref.lineItemId;

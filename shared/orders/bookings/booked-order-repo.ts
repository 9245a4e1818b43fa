import { type SQL, sql } from "drizzle-orm";
import { type Login, loginRepo, stands } from "../../customers/index.ts";
import type { Context } from "../../database/index.ts";
import { notFound, sameDigest } from "../../kernel/index.ts";
import {
  type BookedService,
  type Booking,
  bookedServiceOf,
  bookedServiceQueries,
  bookingFromRow,
  bookingListRepo,
  type When,
} from "../../scheduling/index.ts";
import { type OrderRecord, type PaidOrder, paidOrdersOf, recordQueries } from "../record-repo.ts";

/** Who may see a booking: whoever holds its order's bill_token, the order's customer, the business. */
export type Opener =
  | Readonly<{ type: "token"; billTokenHash: string }>
  | Readonly<{ type: "login"; login: Login }>
  | Readonly<{ type: "business" }>;

/** A booking is named by its id, or by its order and line (interface.md, Booking). */
export type BookingName =
  | Readonly<{ id: string }>
  | Readonly<{ orderId: string; lineItemId: string }>;

/** A booking, its order, which changes with it, and the service that it is of. */
export type BookedOrder = Readonly<{ paid: PaidOrder; booking: Booking; booked: BookedService }>;

/** The bookings of one business, with their orders. */
export function bookedOrderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  const orderOf = (name: BookingName): SQL =>
    "id" in name
      ? sql`(select named.order_id from bookings as named where named.id = ${name.id} and named.business_id = ${business.id})`
      : sql`(${name.orderId})`;

  return {
    /** In one round trip. @throws Refusal NOT_FOUND; another's looks the same. */
    async get(name: BookingName, opener: Opener): Promise<BookedOrder> {
      const ids = orderOf(name);
      const login = opener.type === "login" ? opener.login : nobody;
      const [customers, services, staff, resources, claims, ...records] = await db.batch([
        loginRepo(ctx).query(login),
        ...bookedServiceQueries(ctx, ids),
        ...recordQueries(ctx, ids),
      ]);
      const [found] = paidOrdersOf(records);
      const booking = found?.paid.bookings.find((one) => isNamed(one, name));
      if (!found || !booking || !opens(opener, found, customers)) throw notFound("booking");
      const booked = bookedServiceOf(booking, [services, staff, resources, claims]);
      return { paid: found.paid, booking, booked };
    },

    /** The bookings of the customer who is logged in; null once the login has ended. One round trip. */
    async listOfCustomer(
      login: Login,
      page: { when: When; now: number; limit: number; offset: number },
    ): Promise<Booking[] | null> {
      const [customers, rows] = await db.batch([
        loginRepo(ctx).query(login),
        bookingListRepo(ctx).ofCustomer(login.customerId, page),
      ]);
      return stands(login, customers) ? rows.map(bookingFromRow) : null;
    },
  };
}

const nobody: Login = { customerId: "", loggedInAt: 0 };

function opens(
  opener: Opener,
  { paid, billTokenHash }: OrderRecord,
  customers: Parameters<typeof stands>[1],
): boolean {
  switch (opener.type) {
    case "token":
      return sameDigest(billTokenHash, opener.billTokenHash);
    case "login":
      return paid.order.customerId === opener.login.customerId && stands(opener.login, customers);
    case "business":
      return true;
  }
}

const isNamed = (booking: Booking, name: BookingName): boolean =>
  "id" in name ? booking.id === name.id : booking.lineItemId === name.lineItemId;

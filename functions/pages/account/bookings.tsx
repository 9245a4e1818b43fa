import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { createFormMarks, readForm, submissionKey } from "../http/forms.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { Notice } from "../parts/fields.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { MoreLink, readCursor } from "../shop/sorting.tsx";
import { AccountPage } from "./account-page.tsx";
import { BookingEntry, bookingRefusalText } from "./booking-entry.tsx";
import { loadAccount, logInPath, sectionPath } from "./load-account.ts";

const pageSize = 10;

type BookingsView = Readonly<{ refusal?: string; status?: 200 | 422 }>;

/** The customer's bookings: what is to come, or what is past. */
export async function respondWithBookings(c: PageContext): Promise<Response> {
  return showBookings(c, await openShop(c, c.req.param("slug") ?? ""));
}

/** Cancels a booking, and shows the others. */
export async function cancelBooking(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  const path = sectionPath(shop, "bookings");
  if (!shop.hasSession()) return redirectTo(c, logInPath(shop, "bookings"));
  try {
    await shop.api.bookings.cancel(
      form.get("booking"),
      { reason: "Cancelled by the customer" },
      { idempotencyKey: await submissionKey(form) },
    );
  } catch (error) {
    if (error instanceof NotFoundError) return redirectTo(c, path);
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    return showBookings(c, shop, { refusal: bookingRefusalText(error), status: 422 });
  }
  return redirectTo(c, `${path}?cancelled=1`);
}

async function showBookings(
  c: PageContext,
  shop: VisitedShop,
  { refusal, status = 200 }: BookingsView = {},
): Promise<Response> {
  const isPast = c.req.query("when") === "past";
  const cursor = readCursor(c);
  const account = await loadAccount(shop, () =>
    Promise.all([
      shop.api.bookings
        .list({ when: isPast ? "past" : "upcoming", ...(cursor && { cursor }), limit: pageSize })
        .page(),
      shop.api.services.list(),
    ]),
  );
  if (account === null) return redirectTo(c, logInPath(shop, "bookings"));
  const [bookings, { data: services }] = account.content;
  const [cartCount, marks] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const path = sectionPath(shop, "bookings");
  const page = (
    <AccountPage
      shop={shop}
      customer={account.customer}
      section="bookings"
      {...{ cartCount, marks }}
    >
      {refusal && <Notice kind="bad">{refusal}</Notice>}
      {c.req.query("cancelled") !== undefined && (
        <Notice kind="good">The booking is cancelled.</Notice>
      )}
      {c.req.query("moved") !== undefined && <Notice kind="good">The booking is moved.</Notice>}
      <nav class="chips" aria-label="When">
        <a href={path} {...(!isPast && { "aria-current": "page" })}>
          Upcoming
        </a>
        <a href={`${path}?when=past`} {...(isPast && { "aria-current": "page" })}>
          Past
        </a>
      </nav>
      {bookings.items.length === 0 ? (
        <div class="empty">
          <p>{isPast ? "Nothing is past yet." : "You have no booking to come."}</p>
          <a href={shop.home}>Go to the shop</a>
        </div>
      ) : (
        <ul class="records">
          {bookings.items.map((booking) => (
            <BookingEntry
              {...{ shop, booking, marks }}
              service={services.find(({ id }) => id === booking.service_id)}
            />
          ))}
        </ul>
      )}
      <MoreLink
        path={path}
        cursor={bookings.nextCursor}
        sort="newest"
        filters={isPast ? { when: "past" } : {}}
      />
    </AccountPage>
  );
  return respondWithPage(c, page, { status });
}

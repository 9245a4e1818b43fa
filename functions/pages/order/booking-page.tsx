import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import { sectionPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { createFormMarks, type FormMarks, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { emptyForm, type FormState, Notice, PostForm, SelectField } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { readDate } from "../services/days.ts";
import { timezoneOf } from "../services/service-choice.ts";
import { slotRefusalText } from "../services/slot-refusal.ts";
import { loadTimeChoice, type ShownService, type TimeChoice } from "../services/time-choice.ts";
import { DayPicker, SlotChoices } from "../services/time-picker.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import {
  bookingPath,
  bookingPlace,
  bookingStaff,
  bookingTime,
  isChangeable,
  type OrderBooking,
} from "./bookings.tsx";
import { type OpenedOrder, openOrder } from "./open-order.ts";

type OpenedBooking = Readonly<{
  opened: OpenedOrder;
  booking: OrderBooking;
  /** Null when the service is no longer offered. */
  service: ShownService | null;
}>;

async function openBooking(c: PageContext): Promise<OpenedBooking> {
  const opened = await openOrder(c);
  const booking = opened.order.bookings.find(({ id }) => id === c.req.param("booking"));
  if (booking === undefined) throw notFoundPage("This order has no such booking.");
  const service = await opened.shop.api.services.get(booking.service_id).then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    },
  );
  return { opened, booking, service };
}

/** A booking of an order, with the times to which it can be moved. */
export async function respondWithBooking(c: PageContext): Promise<Response> {
  return showBooking(c, await openBooking(c), { form: emptyForm });
}

type BookingView = Readonly<{ form: FormState; status?: 200 | 400 | 422 }>;

async function showBooking(
  c: PageContext,
  found: OpenedBooking,
  { form, status = 200 }: BookingView,
): Promise<Response> {
  const { opened, booking, service } = found;
  const { shop, order } = opened;
  const isOpen = isChangeable(booking);
  const [cartCount, marks, move] = await Promise.all([
    loadCartCount(shop),
    createFormMarks(c),
    isOpen && service ? loadMove(c, { ...found, service }) : null,
  ]);
  const path = bookingPath(opened, booking);
  const details = [bookingStaff(booking, service), bookingPlace(shop, booking)]
    .filter(Boolean)
    .join(", ");
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{ title: `Change ${booking.service_name}` }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={opened.path}>Order {order.order_number}</a>
      </nav>
      <h1>{booking.service_name}</h1>
      <p>
        {bookingTime(shop, booking)}
        {details && <span class="hint"> {details}</span>}
      </p>
      {form.message && <Notice kind="bad">{form.message}</Notice>}
      {!isOpen && (
        <Notice kind="info">
          This booking can no longer be changed here. Ask {shop.business.name} if you cannot come.
        </Notice>
      )}
      {service && move && (
        <section class="panel service" aria-labelledby="move">
          <h2 id="move">Move it</h2>
          <MoveForm
            shop={shop}
            service={service}
            move={move}
            form={form}
            marks={marks}
            path={path}
          />
        </section>
      )}
      {isOpen && (
        <section class="panel" aria-labelledby="cancel">
          <h2 id="cancel">Cancel it</h2>
          <p class="hint">
            The rest of the order stays. What you have paid for this is paid back as the shop's
            terms say.
          </p>
          <PostForm action={path} marks={marks}>
            <button type="submit" class="danger" name="action" value="cancel">
              Cancel this booking
            </button>
          </PostForm>
        </section>
      )}
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}

type Move = Readonly<{ times: TimeChoice; staffId: string | null }>;

/** The free times at the booking's place, with the person that the address names. */
async function loadMove(
  c: PageContext,
  { opened: { shop }, booking, service }: OpenedBooking & Readonly<{ service: ShownService }>,
): Promise<Move> {
  const { variant_id, location_id, participant_count } = booking;
  const staffId = service.staff.find(({ id }) => id === c.req.query("staff"))?.id ?? null;
  const times = await loadTimeChoice(shop, {
    service,
    filter: {
      service_id: service.id,
      location_id,
      participant_count,
      ...(variant_id !== null && { variant_id }),
      ...(staffId !== null && { staff_id: staffId }),
    },
    timezone: timezoneOf(shop, location_id),
    from: readDate(c.req.query("from")),
    date: readDate(c.req.query("day")),
  });
  return { times, staffId };
}

type MoveProps = Readonly<{
  shop: OpenedOrder["shop"];
  service: ShownService;
  move: Move;
  form: FormState;
  marks: FormMarks;
  path: string;
}>;

const MoveForm = ({ shop, service, move: { times, staffId }, form, marks, path }: MoveProps) => {
  const [action = "", query = ""] = path.split("?");
  const staff = staffId === null ? {} : { staff: staffId };
  return (
    <>
      {service.staff.length > 1 && (
        <form class="inline" action={action}>
          {[...new URLSearchParams(query)].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <SelectField
            name="staff"
            label="Person"
            form={{ ...emptyForm, values: { staff: staffId ?? "" } }}
            options={[
              { value: "", name: "Anyone who is free" },
              ...service.staff.map(({ id, name }) => ({ value: id, name })),
            ]}
          />
          <button type="submit" class="plain">
            Show free times
          </button>
        </form>
      )}
      <DayPicker
        shop={shop}
        choice={times}
        pathOf={(days) => `${path}&${new URLSearchParams({ ...staff, ...days })}`}
      />
      {times.slots.length > 0 && (
        <PostForm action={path} marks={marks} class="add">
          {staffId !== null && <input type="hidden" name="staff" value={staffId} />}
          <SlotChoices shop={shop} choice={times} form={form} />
          <button type="submit" name="action" value="move">
            Move to this time
          </button>
        </PostForm>
      )}
    </>
  );
};

/** Carries out a form of a booking's page: another time, or none. */
export async function changeBooking(c: PageContext): Promise<Response> {
  const form = await readForm(c);
  const found = await openBooking(c);
  const { opened, booking } = found;
  const { shop, order, token } = opened;
  const { bookings } = shop.api;
  const options = { idempotencyKey: await submissionKey(form, booking.id) };
  const start = Date.parse(form.get("slot"));
  try {
    if (form.get("action") === "cancel") {
      await bookings.cancel(booking.id, { token, reason: "Cancelled by the customer" }, options);
      return redirectTo(c, pathAfterChange(opened, "cancelled"));
    }
    if (form.get("action") !== "move") throw notFoundPage("This page has no such form.");
    if (Number.isNaN(start)) {
      const errors = { slot: "Choose a time." };
      return showBooking(c, found, { form: { values: {}, errors }, status: 400 });
    }
    const length = Date.parse(booking.end_time) - Date.parse(booking.start_time);
    await bookings.reschedule(
      {
        token,
        order_id: order.id,
        line_item_id: booking.line_item_id,
        new_start_time: new Date(start).toISOString(),
        new_end_time: new Date(start + length).toISOString(),
        ...(form.get("staff") !== "" && { new_staff_id: form.get("staff") }),
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    const shown = { values: {}, errors: {}, message: changeRefusalText(error) };
    return showBooking(c, await openBooking(c), { form: shown, status: 422 });
  }
  return redirectTo(c, pathAfterChange(opened, "moved"));
}

/** The order's page; for a customer who came from the account, the bookings there. */
const pathAfterChange = ({ shop, token, path }: OpenedOrder, change: "moved" | "cancelled") =>
  token === "" ? `${sectionPath(shop, "bookings")}?${change}=1` : path;

const changeRefusalText = (error: DukaError): string =>
  error.rule === "CANCELLATION_WINDOW_CLOSED"
    ? "It is too late to change this booking here. Ask the shop if you cannot come."
    : slotRefusalText(error);

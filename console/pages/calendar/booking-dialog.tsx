import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Button } from "../../ui/button.tsx";
import { Fact } from "../../ui/card.tsx";
import { Dialog, FormDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import { PaymentBadge } from "../orders/order-status.tsx";
import { type Booking, BookingBadge, isActive } from "./booking.tsx";

type BookingDialogProps = Readonly<{
  booking: Booking;
  staff: readonly Readonly<{ id: string; name: string }>[];
  onMove: () => void;
  onClose: () => void;
}>;

/** What is booked, and what can be done with it. */
export function BookingDialog({ booking, staff, onMove, onClose }: BookingDialogProps) {
  const { api, can, membership } = useShop();
  const format = useFormat();
  const location = membership.locations.find(({ id }) => id === booking.location_id);
  const [isCancelling, setIsCancelling] = useState(false);
  const member = staff.find(({ id }) => id === booking.staff_id);
  const { data: order } = useRecord({
    key: ["orders", booking.order_id],
    get: (options) => api.orders.get(booking.order_id, options),
  });
  // Money that is due at the shop does not hold the booking up, but the business has to agree.
  const isDue = booking.status === "pending" && order?.payment.provider_status === "pending";
  if (isCancelling) return <CancelDialog booking={booking} onClose={onClose} />;
  return (
    <Dialog title={booking.service_name} onClose={onClose}>
      <div className="dialog-body">
        <dl className="facts">
          <Fact name="Status">
            <BookingBadge status={booking.status} />
          </Fact>
          <Fact name="Customer">{booking.customer_name ?? "Guest"}</Fact>
          {order?.customer_phone && (
            <Fact name="Phone">
              <a href={`tel:${order.customer_phone}`}>{order.customer_phone}</a>
            </Fact>
          )}
          {order?.customer_email && (
            <Fact name="E-mail">
              <a href={`mailto:${order.customer_email}`}>{order.customer_email}</a>
            </Fact>
          )}
          {order?.customer_notes && <Fact name="Note">{order.customer_notes}</Fact>}
          <Fact name="When">
            {format.moment(booking.start_time)} – {format.timeOfDay(booking.end_time)}
          </Fact>
          {booking.participant_count > 1 && (
            <Fact name="People">{format.number(booking.participant_count)}</Fact>
          )}
          {membership.locations.length > 1 && location && (
            <Fact name="Location">{location.name}</Fact>
          )}
          {member && <Fact name="Staff">{member.name}</Fact>}
          {booking.rescheduled_from && (
            <Fact name="Moved from">{format.moment(booking.rescheduled_from)}</Fact>
          )}
          {order && (
            <Fact name="Payment">
              <span className="row">
                {format.money(order.total_price, order.currency)}
                <PaymentBadge state={order.payment.provider_status} />
              </span>
            </Fact>
          )}
          <Fact name="Order">
            <Link
              to="/$businessId/orders/$orderId"
              from="/$businessId"
              params={{ orderId: booking.order_id }}
            >
              {booking.order_number}
            </Link>
          </Fact>
        </dl>
        {booking.status === "pending" && (
          <p className="muted">
            {isDue ? "The customer waits for you to confirm it." : "It waits for its payment."}
          </p>
        )}
      </div>
      {can("orders:write") && isActive(booking) && (
        <footer className="wrap">
          <Button onClick={() => setIsCancelling(true)}>Cancel booking</Button>
          {isDue && <ConfirmButton booking={booking} onClose={onClose} />}
          {booking.status === "confirmed" && <CloseButtons booking={booking} onClose={onClose} />}
          <Button look="primary" onClick={onMove}>
            Move
          </Button>
        </footer>
      )}
    </Dialog>
  );
}

/** Confirms the order of a booking that is paid at the shop, and the booking with it. */
function ConfirmButton({ booking, onClose }: Readonly<{ booking: Booking; onClose: () => void }>) {
  const { api } = useShop();
  const change = useChange();
  return (
    <Button
      isBusy={change.isBusy}
      onClick={async () => {
        const isDone = await change.run(
          () => api.orders.changeStatus(booking.order_id, { status: "confirmed" }),
          "The booking is confirmed.",
        );
        if (isDone) onClose();
      }}
    >
      Confirm
    </Button>
  );
}

const closings = [
  { status: "no_show", name: "No-show", done: "The booking is marked as a no-show." },
  { status: "completed", name: "Completed", done: "The booking is completed." },
] as const;

function CloseButtons({ booking, onClose }: Readonly<{ booking: Booking; onClose: () => void }>) {
  const { api } = useShop();
  const change = useChange();
  return closings.map(({ status, name, done }) => (
    <Button
      key={status}
      isBusy={change.isBusy}
      onClick={async () => {
        const isDone = await change.run(
          () => api.bookings.changeStatus(booking.id, { status }),
          done,
        );
        if (isDone) onClose();
      }}
    >
      {name}
    </Button>
  ));
}

function CancelDialog({ booking, onClose }: Readonly<{ booking: Booking; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm({ reason: "" }, async ({ reason }) => {
    await api.bookings.cancel(booking.id, reason === "" ? {} : { reason });
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog
      title="Cancel the booking"
      action="Cancel the booking"
      form={form}
      isDanger
      onClose={onClose}
    >
      <p>
        The time is free again at once. The order stays; what was paid is refunded when the notice
        of the service is kept.
      </p>
      <TextField label="Reason" maxLength={500} {...form.field("reason")} />
    </FormDialog>
  );
}

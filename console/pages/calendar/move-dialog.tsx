import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import {
  fromClockText,
  fromLocalTime,
  type LocalTime,
  toClockText,
  toLocalTime,
} from "../../ui/local-time.ts";
import { useToasts } from "../../ui/toast.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import type { Booking } from "./booking.tsx";
import type { SchedulingRecords } from "./use-calendar.ts";

/** A booking that is to be moved, and where it was dropped, if it was. */
export type Move = Readonly<{
  booking: Booking;
  to?: LocalTime;
  staffId?: string | undefined;
}>;

type MoveDialogProps = Readonly<{
  move: Move;
  records: SchedulingRecords;
  onClose: () => void;
}>;

/** Moves a booking to another time or another person. Its length stays. */
export function MoveDialog({ move: { booking, to, staffId }, records, onClose }: MoveDialogProps) {
  const { api, membership } = useShop();
  const { timezone } = membership;
  const format = useFormat();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const start = to ?? toLocalTime(booking.start_time, timezone);
  const able = records.services.find(({ id }) => id === booking.service_id)?.staff ?? [];
  const target = able.find(({ id }) => id === staffId);
  const current = able.find(({ id }) => id === booking.staff_id);
  const isForOthers = staffId !== undefined && staffId !== booking.staff_id && !target;
  const form = useForm(
    {
      day: start.day,
      new_start_time: toClockText(start.minutes),
      new_staff_id: (target ?? current)?.id ?? "",
      reason: "",
    },
    async ({ day, new_start_time, new_staff_id, reason }) => {
      const begin = fromLocalTime({ day, minutes: fromClockText(new_start_time) }, timezone);
      const lengthMs = Date.parse(booking.end_time) - Date.parse(booking.start_time);
      await api.bookings.reschedule(booking.id, {
        new_start_time: begin,
        new_end_time: new Date(Date.parse(begin) + lengthMs).toISOString(),
        ...(new_staff_id !== "" && { new_staff_id }),
        ...(reason !== "" && { reason }),
      });
      toasts.show(`Moved to ${format.moment(begin)}.`);
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog
      title={`Move ${booking.service_name}`}
      action="Move the booking"
      form={form}
      onClose={onClose}
    >
      <p className="muted">
        {booking.customer_name ?? "Guest"}, {booking.order_number}
      </p>
      {isForOthers && (
        <p className="notice">
          {able.length === 0
            ? `${booking.service_name} needs no staff.`
            : `${nameOf(records, staffId)} does not give ${booking.service_name}.`}{" "}
          Only the time changes.
        </p>
      )}
      <div className="fields">
        <TextField label="Day" type="date" required {...form.field("day")} />
        <TextField label="Begins at" type="time" required {...form.field("new_start_time")} />
      </div>
      {able.length > 0 && (
        <Select
          label="Staff"
          options={[
            ...(current ? [] : [{ value: "", name: "Anyone who is free" }]),
            ...able.map(({ id, name }) => ({ value: id, name })),
          ]}
          {...form.field("new_staff_id")}
        />
      )}
      <TextField
        label="Reason"
        hint="It can be left out."
        maxLength={500}
        {...form.field("reason")}
      />
    </FormDialog>
  );
}

const nameOf = ({ staff }: SchedulingRecords, staffId: string | undefined): string =>
  staff.find(({ id }) => id === staffId)?.name ?? "This person";

import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../../api/shop.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { fromLocalTime } from "../../../ui/local-time.ts";
import { useToasts } from "../../../ui/toast.tsx";
import { messageOf, useForm } from "../../../ui/use-form.ts";
import { useFormat } from "../../../ui/use-format.ts";
import type { ServiceRecord } from "../../services/service.ts";
import { BookedServiceFields } from "./booked-service-fields.tsx";
import { contains, nearestSlot, useFreeSlots } from "./booking-slots.ts";
import { type BookingPlace, bookingValues, toBookingInput } from "./booking-values.ts";
import { CustomerFields } from "./customer-fields.tsx";

type CreatedBooking = BusinessSchemas["CreatedBooking"];

type BookDialogProps = Readonly<{
  place: BookingPlace;
  /** The services that can be booked; at least one. */
  services: readonly ServiceRecord[];
  onBooked: (booking: CreatedBooking) => void;
  onClose: () => void;
}>;

/** Without a time, the free one that is nearest to the morning's is chosen. */
const usualMinutes = 9 * 60;

/** Books a service for somebody who calls or walks in. */
export function BookDialog({ place, services, onBooked, onClose }: BookDialogProps) {
  const { api, membership } = useShop();
  const format = useFormat();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  const form = useForm(
    bookingValues(place, { services, locations: membership.locations }),
    async (values) => {
      if (slot === undefined) throw new Error("There is no free time. Choose another day.");
      try {
        const { data } = await api.bookings.create(toBookingInput(values, slot.start));
        toasts.show(`Booked for ${format.moment(data.start_time)}.`);
        onBooked(data);
      } finally {
        await queryClient.invalidateQueries(); // also when somebody else has taken the time
      }
    },
  );
  const { values } = form;
  const slots = useFreeSlots(values);
  const free = slots.data?.free ?? [];
  const clicked = { day: values.day, minutes: place.minutes ?? usualMinutes };
  const wanted = values.start_time || fromLocalTime(clicked, membership.timezone);
  const slot = nearestSlot(free, wanted);
  const isRequested = values.start_time !== "" || place.minutes !== undefined;
  const isMoved = slot !== undefined && isRequested && !contains(slot, wanted);
  return (
    <FormDialog title="Book for a customer" action="Book" form={form} onClose={onClose}>
      <BookedServiceFields form={form} services={services} />
      <div className="fields">
        <TextField label="Day" type="date" required {...form.field("day")} />
        <Select
          label="Time"
          hint={
            isMoved ? `${format.timeOfDay(wanted)} is not free; this is the nearest.` : undefined
          }
          options={
            slot
              ? free.map(({ start, end }) => ({
                  value: start,
                  name: `${format.timeOfDay(start)} – ${format.timeOfDay(end)}`,
                }))
              : [{ value: "", name: slots.data ? whyNone(slots.data) : "…" }]
          }
          value={slot?.start ?? ""}
          error={slots.isError ? messageOf(slots.error) : form.errorAt("start_time")}
          onChange={(start) => form.change({ start_time: start })}
        />
      </div>
      <CustomerFields form={form} />
    </FormDialog>
  );
}

const whyNone = ({ isClosed }: Readonly<{ isClosed: boolean }>): string =>
  isClosed ? "Closed on this day" : "Nothing is free on this day";

import type { LocalTime } from "../../../ui/local-time.ts";
import type { ServiceRecord } from "../../services/service.ts";

/** Where in the calendar somebody wants to book: a day, and maybe a time, a person or a resource. */
export type BookingPlace = Readonly<{ day: string }> &
  Partial<
    Readonly<{
      minutes: LocalTime["minutes"] | undefined;
      staffId: string | undefined;
      resourceId: string | undefined;
    }>
  >;

/** The fields of the form. An empty text leaves the choice to the service. */
export type BookingValues = Readonly<{
  service_id: string;
  variant_id: string;
  location_id: string;
  staff_id: string;
  participant_count: string;
  add_on_options: readonly string[];
  day: string;
  /** The start of the slot that was chosen; empty until one is. */
  start_time: string;
  customer: Readonly<{ name: string; phone: string; email: string; notes: string }>;
  payment: "cash" | "link";
}>;

/** What can be booked, and where the shop is. */
type BookableRecords = Readonly<{
  services: readonly ServiceRecord[];
  locations: readonly Readonly<{ id: string }>[];
}>;

export function bookingValues(
  { day, staffId, resourceId }: BookingPlace,
  { services, locations }: BookableRecords,
): BookingValues {
  const isFor = ({ staff, resources }: ServiceRecord) =>
    (staffId === undefined || staff.some(({ id }) => id === staffId)) &&
    (resourceId === undefined || resources.some(({ id }) => id === resourceId));
  const [first] = services;
  const service = services.find(isFor) ?? first;
  return {
    ...serviceChoice(service, { staffId: staffId ?? "", locations }),
    participant_count: "1",
    day,
    start_time: "",
    customer: { name: "", phone: "", email: "", notes: "" },
    payment: "cash",
  };
}

/** The choices within a service; the person stays when the service has them. */
export const serviceChoice = (
  service: ServiceRecord | undefined,
  { staffId, locations }: Readonly<{ staffId: string }> & Pick<BookableRecords, "locations">,
) => ({
  service_id: service?.id ?? "",
  variant_id: (service?.variants.find((one) => one.is_default) ?? service?.variants[0])?.id ?? "",
  location_id: locations.find(({ id }) => service?.location_ids.includes(id))?.id ?? "",
  staff_id: service?.staff.some(({ id }) => id === staffId) ? staffId : "",
  add_on_options: requiredOptions(service),
});

/** The first option of each group that asks for one. */
const requiredOptions = (service: ServiceRecord | undefined): readonly string[] =>
  (service?.add_ons ?? [])
    .filter(({ is_required: isRequired }) => isRequired)
    .flatMap(({ options }) => options[0]?.id ?? []);

const filled = (text: string): string | null => (text.trim() === "" ? null : text.trim());

/** The booking as the API takes it. */
export const toBookingInput = (values: BookingValues, start: string) => ({
  service_id: values.service_id,
  start_time: start,
  variant_id: filled(values.variant_id),
  location_id: filled(values.location_id),
  staff_id: filled(values.staff_id),
  add_on_options: values.add_on_options,
  participant_count: Number(values.participant_count),
  payment: values.payment,
  customer: {
    name: filled(values.customer.name),
    phone: filled(values.customer.phone),
    email: filled(values.customer.email),
    notes: filled(values.customer.notes),
  },
});

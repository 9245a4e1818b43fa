import { useQuery } from "@tanstack/react-query";
import { useShop } from "../../../api/shop.ts";

/** The time of a slot that can be booked, and how many more people fit in. */
export type FreeSlot = Readonly<{ start: string; end: string; remaining_capacity: number }>;

/** Whose free times are shown. Empty texts leave the choice to the service. */
export type SlotChoice = Readonly<{
  service_id: string;
  variant_id: string;
  location_id: string;
  staff_id: string;
  day: string;
  participant_count: string;
}>;

/** The free times of a service on a day. */
export function useFreeSlots({ service_id: serviceId, day, ...choice }: SlotChoice) {
  const { api, id } = useShop();
  const { variant_id, location_id, staff_id, participant_count: people } = choice;
  const query = {
    date: day,
    participant_count: Number(people),
    ...filledIn({ variant_id, location_id, staff_id }),
  };
  return useQuery({
    queryKey: [id, "slots", serviceId, query],
    enabled: day !== "" && query.participant_count >= 1,
    queryFn: async ({ signal }) => {
      const { data } = await api.services.listSlots(serviceId, query, { signal });
      const free: readonly FreeSlot[] = data.slots.filter((slot) => slot.is_available);
      return { free, isClosed: data.slots.length === 0 };
    },
    staleTime: 0, // others book at the same time
  });
}

const filledIn = (ids: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== ""));

/** The free slot that begins closest to a time; undefined without a free slot. */
export const nearestSlot = (slots: readonly FreeSlot[], time: string): FreeSlot | undefined => {
  const distanceOf = ({ start }: FreeSlot) => Math.abs(Date.parse(start) - Date.parse(time));
  return [...slots].sort((one, other) => distanceOf(one) - distanceOf(other))[0];
};

/** Whether a time lies in a slot. */
export const contains = ({ start, end }: FreeSlot, time: string): boolean =>
  Date.parse(start) <= Date.parse(time) && Date.parse(time) < Date.parse(end);

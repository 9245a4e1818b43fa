import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import { isSlotAvailable, type Slot, type SlotOffer } from "../../../shared/scheduling/index.ts";

export const SlotDayView = z
  .object({
    service_id: z.string(),
    date: z.string(),
    duration_minutes: z.number().int(),
    slots: z.array(
      z.object({
        start: z.string(),
        end: z.string(),
        is_available: z.boolean(),
        remaining_capacity: z.number().int(),
      }),
    ),
  })
  .openapi("SlotDay");

export const viewSlotDay = (
  { service, durationMinutes }: SlotOffer,
  date: string,
  slots: readonly Slot[],
): z.infer<typeof SlotDayView> => ({
  service_id: service.id,
  date,
  duration_minutes: durationMinutes,
  slots: slots.map((slot) => ({
    start: iso(slot.start),
    end: iso(slot.end),
    is_available: isSlotAvailable(slot),
    remaining_capacity: slot.remainingCapacity,
  })),
});

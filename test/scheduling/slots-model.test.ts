import fc from "fast-check";
import { expect, it } from "vitest";
import { day } from "../../shared/kernel/index.ts";
import {
  checkSlot,
  countFreeSlotsByDay,
  type Occupancy,
  type Slot,
  type SlotOffer,
  slotsOfDay,
} from "../../shared/scheduling/index.ts";
import { localMinutes } from "./local-minutes.ts";
import { type GeneratedSlotCase, slotCases } from "./slot-cases.ts";
import { type ModelSlot, modelSlots } from "./slot-model.ts";

// Set MODEL_RUNS=5000 for a long run, and MODEL_SEED and MODEL_PATH as a failure prints them.
const {
  MODEL_RUNS: runs = "40",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

const noLimit = 3_600_000;

it("computes the same slots, days and checks as the minute-by-minute model", {
  timeout: noLimit,
}, () => {
  const property = fc.property(slotCases, (slotCase) => {
    const offer = offerOf(slotCase);
    const occupancy = occupancyOf(slotCase);
    const query = { participants: slotCase.participants, now: slotCase.now };
    const from = new Date(Date.parse(slotCase.date) - 2 * day).toISOString();
    const minutes = localMinutes(slotCase.zone, from, 6 * 24 * 60);
    const expected = modelSlots(slotCase, minutes);
    const dates = [-1, 0, 1].map((days) => dateAt(Date.parse(slotCase.date) + days * day));

    for (const date of dates) {
      const slots = slotsOfDay(offer, occupancy, { date, ...query });
      expectSameSlots(
        slots,
        expected.filter((slot) => slot.date === date),
      );
    }
    const [first = "", , last = ""] = dates;
    const counts = countFreeSlotsByDay(offer, occupancy, { first, last, ...query });
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(
        dates.map((date) => [
          date,
          expected.filter((slot) => slot.date === date && slot.reason === null).length,
        ]),
      ),
    );
    for (const { at } of minutes.slice(1440, -3000).filter((_, index) => index % 61 === 0)) {
      const slot = checkSlot(offer, occupancy, { start: at, ...query });
      const expectedSlot = expected.find(({ start }) => start === at);
      if (expectedSlot) expectSameSlots([slot], [expectedSlot]);
      else expect(slot.reason).toBe("OUTSIDE_HOURS");
    }
  });
  fc.assert(property, { numRuns: Number(runs), seed: Number(seed), ...(path && { path }) });
});

function expectSameSlots(slots: readonly Slot[], expected: readonly ModelSlot[]): void {
  expect(
    slots.map(({ start, end, remainingCapacity: remaining, reason }) => {
      return { start, end, remaining, reason };
    }),
  ).toEqual(
    expected.map(({ start, end, remaining, reason }) => ({ start, end, remaining, reason })),
  );
  for (const [index, { staffId }] of slots.entries()) {
    const choice = expected[index]?.staff ?? [];
    expect(staffId === null ? [] : choice).toEqual(choice);
    if (staffId !== null) expect(choice).toContain(staffId);
  }
}

const dateAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

const service = {
  id: "svc",
  productId: "prod",
  durationMinutes: 1,
  bufferMinutes: 1,
  capacity: 1,
  cancellationNoticeMinutes: 0,
  locationIds: ["loc"],
  staffIds: [],
  resourceIds: [],
  requiresVerifiedContact: false,
  createdAt: 0,
  updatedAt: 0,
};

const offerOf = (slotCase: GeneratedSlotCase): SlotOffer => ({
  service: {
    ...service,
    slotIntervalMinutes: slotCase.interval,
    minNoticeMinutes: slotCase.minNotice,
    bookingWindowDays: slotCase.windowDays,
  },
  location: {
    id: "loc",
    name: "Here",
    address: null,
    timezone: slotCase.zone,
    operatingHours: slotCase.hours,
    closures: slotCase.closures,
    isDefault: true,
    offersPickup: false,
    pickupInstructions: null,
  },
  durationMinutes: slotCase.duration,
  bufferMinutes: slotCase.buffer,
  capacity: slotCase.capacity,
  staff: slotCase.staff?.map((member) => ({ ...member, name: member.id })) ?? null,
  resources: slotCase.resources.map((resource) => ({ ...resource, name: resource.id })),
});

function occupancyOf({ allocations }: GeneratedSlotCase): Occupancy {
  const rows = allocations.map(({ start: startsAt, occupiedUntil, ...fields }) => {
    return { startsAt, occupiedUntil, ...fields };
  });
  return {
    service: rows.filter(({ isSameService }) => isSameService),
    staff: rows.flatMap(({ staffId, isSameService, ...row }) =>
      staffId === null
        ? []
        : [{ ...row, staffId, sameServiceParticipants: isSameService ? row.participants : 0 }],
    ),
    resources: rows.flatMap(({ resourceIds, ...row }) =>
      resourceIds.map((resourceId) => ({ ...row, resourceId })),
    ),
  };
}

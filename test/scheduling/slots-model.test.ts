import fc from "fast-check";
import { expect, it } from "vitest";
import {
  checkSlot,
  type Occupancy,
  type Slot,
  type SlotOffer,
  slotsByDay,
  slotsOfDay,
} from "../../shared/scheduling/index.ts";
import { localMinutes } from "./local-minutes.ts";
import { type DrawnScene, scenes } from "./scenes.ts";
import { type ModelSlot, modelSlots } from "./slot-model.ts";

// MODEL_RUNS=5000 for a campaign; seed and path as a failure prints them.
const {
  MODEL_RUNS: runs = "40",
  MODEL_SEED: seed = "20260801",
  MODEL_PATH: path,
}: Record<string, string | undefined> = import.meta.env;

const day = 24 * 60 * 60_000;
const noLimit = 3_600_000;

it("has the slots, the days and the checks that a count of every minute has, in any zone", {
  timeout: noLimit,
}, () => {
  const property = fc.property(scenes, (scene) => {
    const offer = offerOf(scene);
    const occupancy = occupancyOf(scene);
    const asked = { participants: scene.participants, now: scene.now };
    const from = new Date(Date.parse(scene.date) - 2 * day).toISOString();
    const minutes = localMinutes(scene.zone, from, 6 * 24 * 60);
    const expected = modelSlots(scene, minutes);
    const dates = [-1, 0, 1].map((days) => dateAt(Date.parse(scene.date) + days * day));

    for (const date of dates) {
      const slots = slotsOfDay(offer, occupancy, { date, ...asked });
      demandSame(
        slots,
        expected.filter((slot) => slot.date === date),
      );
    }
    const [first = "", , last = ""] = dates;
    const counts = slotsByDay(offer, occupancy, { first, last, ...asked });
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(
        dates.map((date) => [
          date,
          expected.filter((slot) => slot.date === date && slot.reason === null).length,
        ]),
      ),
    );
    for (const { at } of minutes.slice(1440, -3000).filter((_, index) => index % 61 === 0)) {
      const slot = checkSlot(offer, occupancy, { start: at, ...asked });
      const known = expected.find(({ start }) => start === at);
      if (known) demandSame([slot], [known]);
      else expect(slot.reason).toBe("OUTSIDE_HOURS");
    }
  });
  fc.assert(property, { numRuns: Number(runs), seed: Number(seed), ...(path && { path }) });
});

function demandSame(slots: readonly Slot[], expected: readonly ModelSlot[]): void {
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
  createdAt: 0,
  updatedAt: 0,
};

const offerOf = (scene: DrawnScene): SlotOffer => ({
  service: {
    ...service,
    slotIntervalMinutes: scene.interval,
    minNoticeMinutes: scene.minNotice,
    bookingWindowDays: scene.windowDays,
  },
  location: {
    id: "loc",
    name: "Here",
    address: null,
    timezone: scene.zone,
    operatingHours: scene.hours,
    closures: scene.closures,
    isDefault: true,
  },
  durationMinutes: scene.duration,
  bufferMinutes: scene.buffer,
  capacity: scene.capacity,
  staff: scene.staff?.map((member) => ({ ...member, name: member.id })) ?? null,
  resources: scene.resources.map((resource) => ({ ...resource, name: resource.id })),
});

function occupancyOf({ claims }: DrawnScene): Occupancy {
  const rows = claims.map(({ start: startsAt, until: occupiedUntil, ...rest }) => {
    return { startsAt, occupiedUntil, ...rest };
  });
  return {
    service: rows.filter(({ isOwn }) => isOwn),
    staff: rows.flatMap(({ staffId, isOwn, ...row }) =>
      staffId === null ? [] : [{ ...row, staffId, own: isOwn ? row.participants : 0 }],
    ),
    resources: rows.flatMap(({ resourceIds, ...row }) =>
      resourceIds.map((resourceId) => ({ ...row, resourceId })),
    ),
  };
}

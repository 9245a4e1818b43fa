import { beforeEach, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { at } from "../business/given.ts";
import { day, openLocation } from "../scheduling/given.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";

const now = Date.parse("2030-05-01T12:00:00Z");

/** So many days from now, as a date; Accra's clocks are UTC's. */
export const dateIn = (days: number) => new Date(now + days * day).toISOString().slice(0, 10);
export const clock = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`);
export const text = (date: string, time: string) => new Date(clock(date, time)).toISOString();

export const soon = dateIn(3);

export const slotsOf = (answer: Answer) => {
  const slots = at(answer, "data.slots");
  if (!Array.isArray(slots)) throw new Error(JSON.stringify(answer.body));
  return slots as { start: string; is_available: boolean; remaining_capacity: number }[];
};
export const startsOf = (answer: Answer) =>
  slotsOf(answer).flatMap((slot) => (slot.is_available ? [slot.start.slice(11, 16)] : []));

/** For each test of the file: a shop whose one place is open, and what a shopper asks of its times. */
export function scheduledShop() {
  let shop: CreatedBusiness;
  let home: string;

  beforeEach(async () => {
    vi.setSystemTime(now);
    shop = await givenBusiness();
    home = await openLocation(shop);
  });

  return {
    shop: () => shop,
    home: () => home,
    get: (path: string) => shopper(shop)("GET", `/scheduling${path}`),
  };
}

import { beforeEach, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, openLocation } from "../scheduling/create-service.ts";
import { valueAt } from "../support/responses.ts";
import { type ApiResponse, createBusiness, shopper } from "../support/world.ts";

const now = Date.parse("2030-05-01T12:00:00Z");

/** The date in a number of days; the business is in Accra, which has UTC all year. */
export const dateIn = (days: number) => new Date(now + days * day).toISOString().slice(0, 10);
export const instantOf = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`);
export const instantText = (date: string, time: string) =>
  new Date(instantOf(date, time)).toISOString();

export const bookableDate = dateIn(3);

export const slotsOf = (answer: ApiResponse) => {
  const slots = valueAt(answer, "data.slots");
  if (!Array.isArray(slots)) throw new Error(JSON.stringify(answer.body));
  return slots as { start: string; is_available: boolean; remaining_capacity: number }[];
};
export const startsOf = (answer: ApiResponse) =>
  slotsOf(answer).flatMap((slot) => (slot.is_available ? [slot.start.slice(11, 16)] : []));

/** Creates before each test a business with one open location, and returns the scheduling calls of a shopper. */
export function createScheduledShop() {
  let shop: CreatedBusiness;
  let home: string;

  beforeEach(async () => {
    vi.setSystemTime(now);
    shop = await createBusiness();
    home = await openLocation(shop);
  });

  return {
    shop: () => shop,
    home: () => home,
    get: (path: string) => shopper(shop)("GET", `/scheduling${path}`),
  };
}

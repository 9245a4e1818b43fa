import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  checkSlot,
  daysBetween,
  findBookable,
  findBookables,
  findOccupancy,
  type SlotOffer,
  slotOffer,
  slotsByDay,
  slotsOfDay,
  spanOfSlot,
  spanOfSlots,
} from "../../../../shared/scheduling/index.ts";
import type { RequestContext } from "../../../http/api-env.ts";
import { area } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract } from "../../../http/contract.ts";
import { chance } from "../../../runtime/runtime.ts";
import { date, id, queryInstant, queryInteger } from "../../../wire/fields.ts";
import { cachedRead, readerOf } from "../../cached-read.ts";
import {
  AvailabilityView,
  ServiceView,
  SlotCheckView,
  SlotDayView,
  viewAvailability,
  viewService,
  viewSlotCheck,
  viewSlotDay,
} from "../../views/scheduling.ts";

const mostDays = 62;
const longestMinutes = 7 * 24 * 60;

const ofService = z.object({
  service_id: id(),
  variant_id: id().optional(),
  location_id: id().optional(),
  staff_id: id().optional(),
  participant_count: queryInteger(1, 100_000).default(1),
});

const ofDays = ofService
  .extend({ start_date: date(), end_date: date() })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ["end_date"],
    message: "must not be before start_date",
  })
  .refine(({ start_date, end_date }) => daysBetween(start_date, end_date) <= mostDays, {
    path: ["end_date"],
    message: `must be within ${mostDays} days, both ends counted`,
  });

const ofInstant = ofService.extend({
  slot_time: queryInstant(),
  duration_minutes: queryInteger(1, longestMinutes).optional(),
});

/** interface.md, Scheduling: services and their slots. What is booked moves without the catalogue's version. */
export const scheduling = area()
  .openapi(
    contract("get", "/scheduling/services", {
      summary: "Services that can be booked",
      access,
      answer: z.array(ServiceView),
    }),
    (c) => {
      const { business } = keyed(c);
      return cachedRead(
        c,
        async (reader) => {
          const { version, data } = await findBookables(reader);
          return { version, data: data.map((service) => viewService(service, business)) };
        },
        zonesOf(business),
      );
    },
  )
  .openapi(
    contract("get", "/scheduling/services/{service_id}", {
      summary: "One service, by its id or its product's",
      access,
      params: z.object({ service_id: id() }),
      answer: ServiceView,
    }),
    (c) => {
      const { business } = keyed(c);
      return cachedRead(
        c,
        async (reader) => {
          const { version, data } = await findBookable(reader, c.req.valid("param").service_id);
          if (!data) throw notFound("service");
          return { version, data: viewService(data, business) };
        },
        zonesOf(business),
      );
    },
  )
  .openapi(
    contract("get", "/scheduling/slots", {
      summary: "The slots of a day",
      access,
      query: ofService.extend({ date: date() }),
      answer: SlotDayView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { date } = query;
      const offer = await offerOf(c, query);
      const now = chance.now();
      const span = spanOfSlots(offer, { first: date, last: date });
      const occupancy = await findOccupancy(readerOf(c), offer, { span, now });
      const asked = { date, participants: query.participant_count, now };
      return c.json(answer(viewSlotDay(offer, date, slotsOfDay(offer, occupancy, asked))), 200);
    },
  )
  .openapi(
    contract("get", "/scheduling/slots/check", {
      summary: "Whether a slot can be booked",
      access,
      query: ofInstant,
      answer: SlotCheckView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { slot_time: start } = query;
      const offer = await offerOf(c, query);
      const now = chance.now();
      const span = spanOfSlot(offer, start);
      const occupancy = await findOccupancy(readerOf(c), offer, { span, now });
      const asked = { start, participants: query.participant_count, now };
      return c.json(answer(viewSlotCheck(offer, checkSlot(offer, occupancy, asked))), 200);
    },
  )
  .openapi(
    contract("get", "/scheduling/availability", {
      summary: "How many slots of each day can be booked",
      access,
      query: ofDays,
      answer: AvailabilityView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const days = { first: query.start_date, last: query.end_date };
      const offer = await offerOf(c, query);
      const now = chance.now();
      const span = spanOfSlots(offer, days);
      const occupancy = await findOccupancy(readerOf(c), offer, { span, now });
      const asked = { ...days, participants: query.participant_count, now };
      return c.json(
        answer(viewAvailability(offer, days, slotsByDay(offer, occupancy, asked))),
        200,
      );
    },
  );

type Query = z.infer<typeof ofService> & { duration_minutes?: number | undefined };

/** What the query wants to book; one round trip. */
async function offerOf(c: RequestContext, query: Query): Promise<SlotOffer> {
  const { data } = await findBookable(readerOf(c), query.service_id);
  if (!data) throw notFound("service");
  const wanted = {
    variantId: query.variant_id ?? null,
    locationId: query.location_id ?? null,
    staffId: query.staff_id ?? null,
    durationMinutes: query.duration_minutes ?? null,
  };
  return slotOffer(data, wanted, keyed(c).business);
}

/** What a service's answer says that the catalogue's version does not tell of. */
const zonesOf = ({ locations, timezone }: Business): string =>
  JSON.stringify([timezone, ...locations.map((location) => [location.id, location.timezone])]);

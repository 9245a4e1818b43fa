import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { defaultVariantOf } from "../../../../shared/catalogue/index.ts";
import { countDaysInclusive } from "../../../../shared/kernel/calendar.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import {
  checkSlot,
  countFreeSlotsByDay,
  findBookableService,
  findOccupancy,
  listBookableServices,
  occupancyRangeOfDays,
  occupancyRangeOfSlot,
  type SlotOffer,
  slotOfferFor,
  slotsOfDay,
} from "../../../../shared/scheduling/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey as access } from "../../../http/authentication/access.ts";
import { type RequestContext, requireKey } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { date, id, queryInstant, queryInteger } from "../../../wire/fields.ts";
import { SlotDayView, viewSlotDay } from "../../../wire/views/slot-day.ts";
import { createCatalogueReader, respondCached } from "../../cache/cached-responses.ts";
import {
  ServiceAvailabilityView,
  ServiceView,
  SlotCheckView,
  viewService,
  viewServiceAvailability,
  viewSlotCheck,
} from "../../views/scheduling.ts";

const maxDays = 62;
const maxDurationMinutes = 7 * 24 * 60;

const SlotQuery = z.object({
  service_id: id(),
  variant_id: id().optional(),
  location_id: id().optional(),
  staff_id: id().optional(),
  participant_count: queryInteger(1, 100_000).default(1),
});

const DayRangeQuery = SlotQuery.extend({ start_date: date(), end_date: date() })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ["end_date"],
    message: "must not be before start_date",
  })
  .refine(({ start_date, end_date }) => countDaysInclusive(start_date, end_date) <= maxDays, {
    path: ["end_date"],
    message: `must be within ${maxDays} days, including both dates`,
  });

const SlotCheckQuery = SlotQuery.extend({
  slot_time: queryInstant(),
  duration_minutes: queryInteger(1, maxDurationMinutes).optional(),
});

/** docs/contract/storefront.md#scheduling. Slots are not cached: bookings do not change the catalogue's version. */
export const scheduling = createRoutes()
  .openapi(
    route("get", "/scheduling/services", {
      operationId: "listServices",
      tag: "Services",
      summary: "List bookable services",
      access,
      hasEntityTag: true,
      response: z.array(ServiceView),
    }),
    (c) => {
      const { business } = requireKey(c);
      return respondCached(
        c,
        async (reader) => {
          const { version, data } = await listBookableServices(reader);
          return { version, data: data.map((service) => viewService(service, business)) };
        },
        { variantKey: timezoneCacheKey(business) },
      );
    },
  )
  .openapi(
    route("get", "/scheduling/services/{service_id}", {
      operationId: "getService",
      tag: "Services",
      summary: "Get a service by its id or its product's id",
      access,
      hasEntityTag: true,
      params: z.object({ service_id: id() }),
      response: ServiceView,
    }),
    (c) => {
      const { business } = requireKey(c);
      return respondCached(
        c,
        async (reader) => {
          const { version, data } = await findBookableService(
            reader,
            c.req.valid("param").service_id,
          );
          if (!data) throw notFound("service");
          return { version, data: viewService(data, business) };
        },
        { variantKey: timezoneCacheKey(business) },
      );
    },
  )
  .openapi(
    route("get", "/scheduling/slots", {
      operationId: "listSlots",
      tag: "Slots",
      summary: "List a day's slots",
      access,
      query: SlotQuery.extend({ date: date() }),
      response: SlotDayView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { date } = query;
      const offer = await findSlotOffer(c, query);
      const now = runtime.now();
      const range = occupancyRangeOfDays(offer, { first: date, last: date });
      const occupancy = await findOccupancy(createCatalogueReader(c), offer, { range, now });
      const request = { date, participants: query.participant_count, now };
      return c.json(envelope(viewSlotDay(offer, date, slotsOfDay(offer, occupancy, request))), 200);
    },
  )
  .openapi(
    route("get", "/scheduling/slots/check", {
      operationId: "checkSlot",
      tag: "Slots",
      summary: "Check whether a slot can be booked",
      access,
      query: SlotCheckQuery,
      response: SlotCheckView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { slot_time: start } = query;
      const offer = await findSlotOffer(c, query);
      const now = runtime.now();
      const range = occupancyRangeOfSlot(offer, start);
      const occupancy = await findOccupancy(createCatalogueReader(c), offer, { range, now });
      const durationMinutes = query.duration_minutes ?? offer.durationMinutes;
      const participants = query.participant_count;
      const slot = checkSlot(offer, occupancy, { start, participants, now, durationMinutes });
      return c.json(envelope(viewSlotCheck(offer, durationMinutes, slot)), 200);
    },
  )
  .openapi(
    route("get", "/scheduling/availability", {
      operationId: "listAvailableDays",
      tag: "Slots",
      summary: "Count the bookable slots of each day",
      access,
      query: DayRangeQuery,
      response: ServiceAvailabilityView,
    }),
    async (c) => {
      const query = c.req.valid("query");
      const days = { first: query.start_date, last: query.end_date };
      const offer = await findSlotOffer(c, query);
      const now = runtime.now();
      const range = occupancyRangeOfDays(offer, days);
      const occupancy = await findOccupancy(createCatalogueReader(c), offer, { range, now });
      const request = { ...days, participants: query.participant_count, now };
      return c.json(
        envelope(
          viewServiceAvailability(offer, days, countFreeSlotsByDay(offer, occupancy, request)),
        ),
        200,
      );
    },
  );

/**
 * Finds the offer whose slots the query is about, in one round trip. Without a variant it is that
 * of the default variant, which a cart takes.
 */
async function findSlotOffer(
  c: RequestContext,
  query: z.infer<typeof SlotQuery>,
): Promise<SlotOffer> {
  const { data } = await findBookableService(createCatalogueReader(c), query.service_id);
  if (!data) throw notFound("service");
  const preferences = {
    variantId: query.variant_id ?? defaultVariantOf(data.product)?.id ?? null,
    locationId: query.location_id ?? null,
    staffId: query.staff_id ?? null,
  };
  return slotOfferFor(data, preferences, requireKey(c).business);
}

/**
 * A part of the cache key of services, because time zones change without a new catalogue version.
 */
const timezoneCacheKey = ({ locations, timezone }: Business): string =>
  JSON.stringify([timezone, ...locations.map((location) => [location.id, location.timezone])]);

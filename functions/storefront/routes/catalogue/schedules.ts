import { z } from "@hono/zod-openapi";
import { findOffer } from "../../../../shared/availability/index.ts";
import {
  availabilityOf,
  findProductPage,
  unavailableReasons,
} from "../../../../shared/catalogue/index.ts";
import { isoOrNull, notFound } from "../../../../shared/kernel/index.ts";
import { area } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { keyed } from "../../../http/context.ts";
import { answer, contract } from "../../../http/contract.ts";
import { chance } from "../../../runtime/runtime.ts";
import { id, idOrSlug } from "../../../wire/fields.ts";
import { ScheduleRuleView, viewSchedules } from "../../../wire/views/catalogue/schedule-rule.ts";
import { cachedRead, readerOf } from "../../cached-read.ts";
import { demandedLocation } from "../../requests/product-query.ts";

const access = publishableKey;
const params = z.object({ product_id: idOrSlug() });

const AvailabilityView = z
  .object({
    is_available: z.boolean(),
    reason: z.enum(unavailableReasons).nullable(),
    next_available_at: z.string().nullable(),
  })
  .openapi("ScheduledAvailability");

export const catalogueSchedules = area()
  .openapi(
    contract("get", "/catalogue/products/{product_id}/schedules", {
      summary: "When a product is offered",
      access,
      params,
      answer: z.array(ScheduleRuleView),
    }),
    (c) =>
      cachedRead(c, async (reader) => {
        const { version, data } = await findProductPage(reader, c.req.valid("param").product_id);
        if (!data) throw notFound("product");
        return { version, data: viewSchedules(data.product) };
      }),
  )
  .openapi(
    contract("get", "/catalogue/products/{product_id}/available-now", {
      summary: "Whether a product can be had at a location now",
      access,
      params,
      query: z.object({ location_id: id() }),
      answer: AvailabilityView,
    }),
    async (c) => {
      const locationId = demandedLocation(keyed(c).business, c.req.valid("query").location_id);
      const offer = await findOffer(readerOf(c), c.req.valid("param").product_id, locationId);
      if (!offer) throw notFound("product");
      const { isAvailable, reason, nextAvailableAt } = availabilityOf(offer, {
        locationId,
        now: chance.now(),
      });
      const next_available_at = isoOrNull(nextAvailableAt);
      return c.json(answer({ is_available: isAvailable, reason, next_available_at }), 200);
    },
  );

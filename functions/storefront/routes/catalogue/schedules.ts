import { z } from "@hono/zod-openapi";
import { findAvailableNow } from "../../../../shared/availability/index.ts";
import { storefrontCatalogue } from "../../../../shared/catalogue/index.ts";
import { isoOrNull, notFound } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { publishableKey } from "../../../http/authentication/access.ts";
import { requireKey } from "../../../http/context.ts";
import { envelope, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { id, idOrSlug } from "../../../wire/fields.ts";
import {
  ScheduleRuleView,
  viewScheduleRules,
} from "../../../wire/views/catalogue/schedule-rule.ts";
import { createCatalogueReader, respondCached } from "../../cache/cached-responses.ts";
import { requireLocation } from "../../requests/product-query.ts";

const access = publishableKey;
const params = z.object({ product_id: idOrSlug() });

const ScheduledAvailabilityView = z
  .object({
    is_available: z.boolean(),
    reason: z.enum(storefrontCatalogue.unavailableReasons).nullable(),
    next_available_at: z.string().nullable(),
  })
  .openapi("ScheduledAvailability");

export const catalogueSchedules = createRoutes()
  .openapi(
    route("get", "/catalogue/products/{product_id}/schedules", {
      operationId: "listProductSchedules",
      tag: "Products",
      summary: "List a product's schedules",
      access,
      hasEntityTag: true,
      params,
      response: z.array(ScheduleRuleView),
    }),
    (c) =>
      respondCached(c, async (reader) => {
        const { version, data } = await storefrontCatalogue.findProductPage(
          reader,
          c.req.valid("param").product_id,
        );
        if (!data) throw notFound("product");
        return { version, data: viewScheduleRules(data.product) };
      }),
  )
  .openapi(
    route("get", "/catalogue/products/{product_id}/available-now", {
      operationId: "checkProductAvailableNow",
      tag: "Products",
      summary: "Check whether a product is available at a location now",
      access,
      params,
      query: z.object({ location_id: id() }),
      response: ScheduledAvailabilityView,
    }),
    async (c) => {
      const locationId = requireLocation(requireKey(c).business, c.req.valid("query").location_id);
      const offer = await findAvailableNow(
        createCatalogueReader(c),
        c.req.valid("param").product_id,
        locationId,
      );
      if (!offer) throw notFound("product");
      const { isAvailable, reason, nextAvailableAt } = storefrontCatalogue.availabilityOf(offer, {
        locationId,
        now: runtime.now(),
      });
      const next_available_at = isoOrNull(nextAvailableAt);
      return c.json(envelope({ is_available: isAvailable, reason, next_available_at }), 200);
    },
  );

import { z } from "@hono/zod-openapi";
import {
  availabilityOf,
  findStock,
  type StockLocations,
  stockAt,
} from "../../../shared/availability/index.ts";
import type { Business } from "../../../shared/businesses/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { requireKey } from "../../http/context.ts";
import { envelope, route } from "../../http/contract.ts";
import { id, queryInteger } from "../../wire/fields.ts";
import { createCatalogueReader } from "../cache/cached-responses.ts";
import { requireLocationIfNamed } from "../requests/product-query.ts";
import {
  stockAvailabilityViewFields,
  stockViewFields,
  viewStock,
  viewStockAvailability,
} from "../views/catalogue/stock.ts";

const productParams = z.object({ product_id: id() });
const variantParams = z.object({ variant_id: id() });
const locationQuery = z.object({ location_id: id().optional() });
const availabilityQuery = locationQuery.extend({ quantity: queryInteger(1, 1_000_000) });

/** docs/contract/storefront.md#inventory. Not cached: stock changes without a new catalogue version. */
export const inventory = createRoutes()
  .openapi(
    route("get", "/inventory/products/{product_id}/stock", {
      operationId: "getProductStock",
      tag: "Inventory",
      summary: "Get a product's stock",
      access,
      params: productParams,
      query: locationQuery,
      response: z.object({ product_id: z.string(), ...stockViewFields }).openapi("ProductStock"),
    }),
    async (c) => {
      const { product_id } = c.req.valid("param");
      const locations = stockLocationsFor(requireKey(c).business, c.req.valid("query"));
      const stock = await findStock(createCatalogueReader(c), { of: "product", id: product_id });
      return c.json(envelope({ product_id, ...viewStock(stockAt(stock, locations)) }), 200);
    },
  )
  .openapi(
    route("get", "/inventory/variants/{variant_id}/stock", {
      operationId: "getVariantStock",
      tag: "Inventory",
      summary: "Get a variant's stock",
      access,
      params: variantParams,
      query: locationQuery,
      response: z.object({ variant_id: z.string(), ...stockViewFields }).openapi("VariantStock"),
    }),
    async (c) => {
      const { variant_id } = c.req.valid("param");
      const locations = stockLocationsFor(requireKey(c).business, c.req.valid("query"));
      const stock = await findStock(createCatalogueReader(c), { of: "variant", id: variant_id });
      return c.json(envelope({ variant_id, ...viewStock(stockAt(stock, locations)) }), 200);
    },
  )
  .openapi(
    route("get", "/inventory/products/{product_id}/availability", {
      operationId: "checkProductAvailability",
      tag: "Inventory",
      summary: "Check whether a quantity of a product is available",
      access,
      params: productParams,
      query: availabilityQuery,
      response: z
        .object({ product_id: z.string(), ...stockAvailabilityViewFields })
        .openapi("ProductAvailability"),
    }),
    async (c) => {
      const { product_id } = c.req.valid("param");
      const { quantity, location_id } = c.req.valid("query");
      const locations = stockLocationsFor(requireKey(c).business, { location_id });
      const stock = await findStock(createCatalogueReader(c), { of: "product", id: product_id });
      const available = availabilityOf(stock, { quantity, locations });
      return c.json(envelope({ product_id, ...viewStockAvailability(available) }), 200);
    },
  )
  .openapi(
    route("get", "/inventory/variants/{variant_id}/availability", {
      operationId: "checkVariantAvailability",
      tag: "Inventory",
      summary: "Check whether a quantity of a variant is available",
      access,
      params: variantParams,
      query: availabilityQuery,
      response: z
        .object({ variant_id: z.string(), ...stockAvailabilityViewFields })
        .openapi("VariantAvailability"),
    }),
    async (c) => {
      const { variant_id } = c.req.valid("param");
      const { quantity, location_id } = c.req.valid("query");
      const locations = stockLocationsFor(requireKey(c).business, { location_id });
      const stock = await findStock(createCatalogueReader(c), { of: "variant", id: variant_id });
      const available = availabilityOf(stock, { quantity, locations });
      return c.json(envelope({ variant_id, ...viewStockAvailability(available) }), 200);
    },
  );

const stockLocationsFor = (
  business: Business,
  query: { location_id?: string | undefined },
): StockLocations => ({
  locationIds: business.locations.map((location) => location.id),
  only: requireLocationIfNamed(business, query.location_id),
});

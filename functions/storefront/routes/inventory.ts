import { z } from "@hono/zod-openapi";
import {
  availabilityOf,
  findStock,
  type Place,
  stockOf,
} from "../../../shared/availability/index.ts";
import type { Business } from "../../../shared/businesses/index.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { keyed } from "../../http/context.ts";
import { answer, contract } from "../../http/contract.ts";
import { id, queryInteger } from "../../wire/fields.ts";
import { readerOf } from "../cached-read.ts";
import { knownLocation } from "../requests/product-query.ts";
import {
  AvailabilityFields,
  StockFields,
  viewAvailability,
  viewStock,
} from "../views/catalogue/stock.ts";

const productParams = z.object({ product_id: id() });
const variantParams = z.object({ variant_id: id() });
const atLocation = z.object({ location_id: id().optional() });
const demand = atLocation.extend({ quantity: queryInteger(1, 1_000_000) });

/** interface.md, Inventory. Stock moves without the catalogue's version: nothing here is remembered. */
export const inventory = area()
  .openapi(
    contract("get", "/inventory/products/{product_id}/stock", {
      summary: "A product's stock",
      access,
      params: productParams,
      query: atLocation,
      answer: z.object({ product_id: z.string(), ...StockFields }).openapi("ProductStock"),
    }),
    async (c) => {
      const { product_id } = c.req.valid("param");
      const place = placeOf(keyed(c).business, c.req.valid("query"));
      const counted = await findStock(readerOf(c), { of: "product", id: product_id });
      return c.json(answer({ product_id, ...viewStock(stockOf(counted, place)) }), 200);
    },
  )
  .openapi(
    contract("get", "/inventory/variants/{variant_id}/stock", {
      summary: "A variant's stock",
      access,
      params: variantParams,
      query: atLocation,
      answer: z.object({ variant_id: z.string(), ...StockFields }).openapi("VariantStock"),
    }),
    async (c) => {
      const { variant_id } = c.req.valid("param");
      const place = placeOf(keyed(c).business, c.req.valid("query"));
      const counted = await findStock(readerOf(c), { of: "variant", id: variant_id });
      return c.json(answer({ variant_id, ...viewStock(stockOf(counted, place)) }), 200);
    },
  )
  .openapi(
    contract("get", "/inventory/products/{product_id}/availability", {
      summary: "Whether so many pieces of a product can be had",
      access,
      params: productParams,
      query: demand,
      answer: z
        .object({ product_id: z.string(), ...AvailabilityFields })
        .openapi("ProductAvailability"),
    }),
    async (c) => {
      const { product_id } = c.req.valid("param");
      const { quantity, location_id } = c.req.valid("query");
      const place = placeOf(keyed(c).business, { location_id });
      const counted = await findStock(readerOf(c), { of: "product", id: product_id });
      const available = availabilityOf(counted, { quantity, place });
      return c.json(answer({ product_id, ...viewAvailability(available) }), 200);
    },
  )
  .openapi(
    contract("get", "/inventory/variants/{variant_id}/availability", {
      summary: "Whether so many pieces of a variant can be had",
      access,
      params: variantParams,
      query: demand,
      answer: z
        .object({ variant_id: z.string(), ...AvailabilityFields })
        .openapi("VariantAvailability"),
    }),
    async (c) => {
      const { variant_id } = c.req.valid("param");
      const { quantity, location_id } = c.req.valid("query");
      const place = placeOf(keyed(c).business, { location_id });
      const counted = await findStock(readerOf(c), { of: "variant", id: variant_id });
      const available = availabilityOf(counted, { quantity, place });
      return c.json(answer({ variant_id, ...viewAvailability(available) }), 200);
    },
  );

const placeOf = (business: Business, query: { location_id?: string | undefined }): Place => ({
  locationIds: business.locations.map((location) => location.id),
  only: knownLocation(business, query.location_id),
});

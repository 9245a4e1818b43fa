import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { type ServiceRecord, timezoneOf } from "../../../../shared/scheduling/index.ts";
import { ServiceFields, viewServiceFields } from "../../../wire/views/catalogue/service.ts";
import { ProductRecordView, viewProductRecord } from "../catalogue/product.ts";

/** A service as its merchant sees it (completions.md 8), with the rest of its product's fields. */
export const ServiceRecordView = ProductRecordView.extend({
  ...ServiceFields,
  price: z.string(),
}).openapi("ServiceRecord");
export type ServiceRecordView = z.infer<typeof ServiceRecordView>;

export function viewServiceRecord(
  { service, record, ...means }: ServiceRecord,
  business: Business,
): ServiceRecordView {
  const product = viewProductRecord(record, business);
  return {
    ...product,
    ...viewServiceFields(service, { ...means, timezone: timezoneOf(service, business) }),
    id: service.id,
    price: product.default_price,
  };
}

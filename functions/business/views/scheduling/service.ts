import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { type ServiceRecord, serviceTimezone } from "../../../../shared/scheduling/index.ts";
import { serviceViewFields, viewServiceFields } from "../../../wire/views/catalogue/service.ts";
import { ProductRecordView, viewProductRecord } from "../catalogue/product.ts";

/** A service as its merchant sees it, with all fields of its product. */
export const ServiceRecordView = ProductRecordView.extend({
  ...serviceViewFields,
  price: z.string(),
}).openapi("ServiceRecord");
export type ServiceRecordView = z.infer<typeof ServiceRecordView>;

export function viewServiceRecord(
  { service, record, ...resources }: ServiceRecord,
  business: Business,
): ServiceRecordView {
  const product = viewProductRecord(record, business);
  return {
    ...product,
    ...viewServiceFields(service, { ...resources, timezone: serviceTimezone(service, business) }),
    id: service.id,
    price: product.default_price,
  };
}

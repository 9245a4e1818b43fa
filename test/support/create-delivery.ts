import {
  createMethod,
  createZone,
  type DeliveryMethod,
  type DeliveryZone,
  type NewDeliveryMethod,
  type NewDeliveryZone,
} from "../../shared/delivery/index.ts";
import { contextFor, type TestBusiness } from "./world.ts";

/** Creates an active zone of the whole of Ghana; `fields` replace the defaults. */
export const createDeliveryZone = (
  shop: TestBusiness,
  fields: Partial<NewDeliveryZone> = {},
): Promise<DeliveryZone> =>
  createZone(contextFor(shop), {
    name: "Ghana",
    areas: [{ country: "GH", regions: [], postalCodePrefixes: [] }],
    locationIds: null,
    isActive: true,
    ...fields,
  });

/** Creates an active method for 5.00; `fields` replace the defaults. Without a zone it gets one. */
export const createDeliveryMethod = async (
  shop: TestBusiness,
  fields: Partial<NewDeliveryMethod> = {},
): Promise<DeliveryMethod> =>
  createMethod(contextFor(shop), {
    zoneId: fields.zoneId ?? (await createDeliveryZone(shop)).id,
    name: "Courier",
    description: "",
    price: { type: "flat", amountMinor: 500 },
    freeOverMinor: null,
    minDays: null,
    maxDays: null,
    paymentMethods: null,
    sortOrder: 0,
    isActive: true,
    ...fields,
  });

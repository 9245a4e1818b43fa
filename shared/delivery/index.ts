export { archiveMethod, createMethod, updateMethod } from "./methods/change-method.ts";
export type {
  DeliveryFigures,
  DeliveryMethod,
  DeliveryMethodPatch,
  DeliveryPriceRule,
  NewDeliveryMethod,
} from "./methods/delivery-method.ts";
export { methodRepo } from "./methods/method-repo.ts";
export {
  allowsPayment,
  assertDeliveryPayable,
  assertOptionExists,
  type ChosenDelivery,
  chosenDelivery,
  deliveryTypeOf,
  deliveryUnavailable,
  type OrderedDelivery,
  toOrderedDelivery,
} from "./options/chosen-delivery.ts";
export { createDeliveryCache, type DeliveryReads } from "./options/delivery-cache.ts";
export {
  type DeliveryOffer,
  deliveryMethodUnchanged,
  hasNoMethods,
} from "./options/delivery-offer-query.ts";
export {
  type DeliveryOption,
  type DeliveryType,
  deliveryOptions,
  deliveryTypes,
} from "./options/delivery-options.ts";
export { areaLimits, type DeliveryArea, type DeliveryPlace } from "./zones/area.ts";
export { archiveZone, createZone, updateZone } from "./zones/change-zone.ts";
export { deliveryPlaceOf, hasCountryCode } from "./zones/delivery-place.ts";
export type { DeliveryZone, DeliveryZonePatch, NewDeliveryZone } from "./zones/zone.ts";
export { zoneRepo } from "./zones/zone-repo.ts";

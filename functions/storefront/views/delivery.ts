import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import {
  allowsPayment,
  type DeliveryOption,
  deliveryTypes,
} from "../../../shared/delivery/index.ts";
import { formatMoney } from "../../../shared/kernel/index.ts";

export const DeliveryOptionView = z
  .object({
    id: z.string(),
    type: z.enum(deliveryTypes),
    name: z.string(),
    description: z.string(),
    price: z.string(),
    currency: z.string(),
    is_free: z.boolean(),
    min_days: z.number().int().nullable(),
    max_days: z.number().int().nullable(),
    location_id: z.string(),
    payment_methods: z.array(z.enum(paymentMethods)),
  })
  .openapi("DeliveryOption");

export const viewDeliveryOption = (
  option: DeliveryOption,
  { currency, settings }: Pick<Business, "currency" | "settings">,
): z.infer<typeof DeliveryOptionView> => ({
  id: option.id,
  type: option.type,
  name: option.name,
  description: option.description,
  price: formatMoney(option.priceMinor, currency),
  currency,
  is_free: option.priceMinor === 0,
  min_days: option.minDays,
  max_days: option.maxDays,
  location_id: option.locationId,
  payment_methods: settings.paymentMethods.filter((method) => allowsPayment(option, method)),
});

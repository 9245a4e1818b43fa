import type { Business } from "../../businesses/index.ts";
import { type FreeAddress, notFound, type Refusal, ruleViolation } from "../../kernel/index.ts";
import { type MethodRepo, methodRepo } from "../methods/method-repo.ts";
import type { DeliveryOption, DeliveryType } from "./delivery-options.ts";

/** What an order stores of the option that was chosen for it. */
export type OrderedDelivery = Pick<
  DeliveryOption,
  "type" | "name" | "locationId" | "minDays" | "maxDays" | "paymentMethods"
> &
  Readonly<{ optionId: string }>;

/** The option that was chosen for a cart, as it was last priced. */
export type ChosenDelivery = OrderedDelivery &
  Readonly<{
    priceMinor: number;
    /** Where it is delivered to, or details of the pickup. */
    address: FreeAddress | null;
  }>;

/**
 * The option as it is chosen. Price and address come last, so that a plan that takes its delivery
 * back from the placed order is stored in the same form.
 */
export const chosenDelivery = (
  { id: optionId, description: _, priceMinor, ...option }: DeliveryOption,
  address: FreeAddress | null,
): ChosenDelivery => ({ ...option, optionId, priceMinor, address });

/** The part of a choice that an order stores beside its price and its address. */
export const toOrderedDelivery = ({
  priceMinor: _,
  address: __,
  ...delivery
}: ChosenDelivery): OrderedDelivery => delivery;

/** The type of the option with this id. An id that is no location's can only be a method's. */
export const deliveryTypeOf = (
  { locations }: Pick<Business, "locations">,
  optionId: string,
): DeliveryType => (locations.some(({ id }) => id === optionId) ? "pickup" : "delivery");

/** Whether an order with this delivery may be paid with a payment method. */
export const allowsPayment = (
  { paymentMethods }: Pick<DeliveryOption, "paymentMethods">,
  paymentMethod: string,
): boolean => paymentMethods?.some((allowed) => allowed === paymentMethod) ?? true;

/** @throws Refusal PAYMENT_METHOD_UNAVAILABLE. */
export function assertDeliveryPayable(
  delivery: Pick<OrderedDelivery, "name" | "paymentMethods">,
  paymentMethod: string,
): void {
  if (allowsPayment(delivery, paymentMethod)) return;
  throw ruleViolation(
    "PAYMENT_METHOD_UNAVAILABLE",
    `${delivery.name} cannot be paid by ${paymentMethod}. Pay by ${delivery.paymentMethods?.join(" or ")}, or choose another delivery option.`,
  );
}

type OptionContext = Parameters<MethodRepo>[0] & Readonly<{ business: Business }>;

/**
 * Takes one round trip for a method.
 *
 * @throws Refusal NOT_FOUND unless the id is that of an active method or of a pickup location.
 */
export async function assertOptionExists(ctx: OptionContext, optionId: string): Promise<void> {
  const location = ctx.business.locations.find(({ id }) => id === optionId);
  const exists = location ? location.offersPickup : await methodRepo(ctx).isActive(optionId);
  if (!exists) throw notFound("delivery option");
}

/** The refusal of an option that does not apply to the cart and the address. */
export const deliveryUnavailable = (
  message = "This delivery option is not offered for this cart and address. GET /delivery/options lists those that are.",
): Refusal => ruleViolation("DELIVERY_UNAVAILABLE", message);

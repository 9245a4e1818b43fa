import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import { formatDays, formatPrice } from "../parts/format.ts";
import type { VisitedShop } from "./open-shop.ts";

export type DeliveryOption = StorefrontSchemas["DeliveryOption"];
export type ShownCart = StorefrontSchemas["Cart"];

type FreeFields = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The options for the cart at an address, in the business's country without one. A cart of which
 * nothing is handed over has none.
 */
export async function loadDeliveryOptions(
  { api, business }: VisitedShop,
  { items }: Pick<ShownCart, "items">,
  address: FreeFields | null,
): Promise<readonly DeliveryOption[]> {
  if (!items.some((line) => line.requires_shipping)) return [];
  const { region, postal_code, country } = address ?? {};
  const { data } = await api.delivery.listOptions({
    country: textOf(country) || business.default_country,
    ...(textOf(region) && { region: textOf(region) }),
    ...(textOf(postal_code) && { postal_code: textOf(postal_code) }),
  });
  return data;
}

/** Whether an address says more than the country. */
export const isWholeAddress = (address: FreeFields | null): boolean =>
  textOf(address?.street_address) !== "";

/**
 * The cart with a delivery, so that the total is the whole price: the cheapest option while nothing
 * is chosen, to the shopper's known address while the cart has none.
 */
export async function withUsualDelivery(
  shop: VisitedShop,
  cart: ShownCart,
  options: readonly DeliveryOption[],
  knownAddress: NonNullable<ShownCart["delivery"]>["address"] = null,
): Promise<ShownCart> {
  const { delivery } = cart;
  const chosen = options.find(({ id }) => id === delivery?.option_id);
  const option = chosen ?? options[0];
  const isKnown = isWholeAddress(knownAddress) && !isWholeAddress(delivery?.address ?? null);
  const isSettled = delivery !== null && !(isKnown && option?.type === "delivery");
  if (isSettled || option === undefined) return cart;
  const address = (isKnown && knownAddress) || { country: shop.business.default_country };
  const { data } = await shop.api.cart.setDelivery({
    option_id: option.id,
    ...(option.type === "delivery" && { address }),
  });
  return data;
}

type ChoicesProps = Readonly<{
  shop: VisitedShop;
  options: readonly DeliveryOption[];
  chosen: string | null;
}>;

/** The options as a list of radio buttons, the cheapest first. */
export const DeliveryChoices = ({ shop, options, chosen }: ChoicesProps) => (
  <div class="choices tall">
    {options.map((option) => (
      <label>
        <input
          type="radio"
          name="delivery_option"
          value={option.id}
          checked={option.id === chosen}
          required
        />
        <span>
          {option.type === "pickup" ? `Collect: ${option.name}` : option.name}
          <small>{[option.description, formatDays(option)].filter(Boolean).join(" · ")}</small>
        </span>
        <span class="amount">
          {option.is_free ? "Free" : formatPrice(option.price, shop.business)}
        </span>
      </label>
    ))}
  </div>
);

/** What a total says about the delivery; null when nothing is delivered. */
export const deliveryName = ({
  delivery,
}: Readonly<{
  delivery: Readonly<{ type: DeliveryOption["type"]; name: string }> | null;
}>): string | null =>
  delivery && (delivery.type === "pickup" ? `Collect: ${delivery.name}` : delivery.name);

import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import { formatDays, formatPrice } from "../parts/format.ts";
import type { VisitedShop } from "./open-shop.ts";

export type DeliveryOption = StorefrontSchemas["DeliveryOption"];
export type ShownCart = StorefrontSchemas["Cart"];

type FreeFields = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The options for the cart at an address, in the business's country without one. A cart of
 * services has none, because nothing is brought.
 */
export async function loadDeliveryOptions(
  { api, business }: VisitedShop,
  { items }: Pick<ShownCart, "items">,
  address: FreeFields | null,
): Promise<readonly DeliveryOption[]> {
  if (items.every((line) => line.scheduled_start !== null)) return [];
  const { region, postal_code, country } = address ?? {};
  const { data } = await api.delivery.listOptions({
    country: textOf(country) || business.default_country,
    ...(textOf(region) && { region: textOf(region) }),
    ...(textOf(postal_code) && { postal_code: textOf(postal_code) }),
  });
  return data;
}

/**
 * The cart with a delivery: the cheapest option while nothing is chosen, so that the total is the
 * whole price.
 */
export async function withUsualDelivery(
  shop: VisitedShop,
  cart: ShownCart,
  options: readonly DeliveryOption[],
): Promise<ShownCart> {
  const [cheapest] = options;
  if (cart.delivery !== null || cheapest === undefined) return cart;
  const { data } = await shop.api.cart.setDelivery({
    option_id: cheapest.id,
    ...(cheapest.type === "delivery" && { address: { country: shop.business.default_country } }),
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

import { chance } from "../../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { day, hour } from "../../../shared/kernel/index.ts";
import { type Answer, type CallOptions, givenBusiness, merchant } from "../../support/world.ts";
import { givenBelongings } from "../foreign-belongings.ts";
import { type Ask, asOperator, had } from "../foreign-callers.ts";
import { givenCustomerOf } from "../foreign-world.ts";
import { alwaysOpen, withoutLimits } from "../open-shop.ts";
import { callerOf, type Operation } from "../operations.ts";
import { type FuzzedRequest, sent } from "./requests.ts";

/** A business with something of every kind, and a customer who has bought, said and saved things. */
export const givenFuzzedWorld = async () => fuzzedWorldOf(await givenBusiness());

/** As `givenFuzzedWorld`, in a business that nobody knows yet. */
export async function fuzzedWorldOf(shop: CreatedBusiness) {
  const { ids, askerOf, send } = await fuzzedPartyOf(shop);

  /** A cart with one thing in it, since a checkout empties what it finds; its id. */
  async function filledCart(ask: Ask): Promise<string> {
    await had(ask("DELETE", "/api/v1/cart"));
    const body = { item_id: ids.cup_id };
    return String((await had(ask("POST", "/api/v1/cart/items", { body }))).id);
  }

  /** The default location cannot be archived, and a change may have made the spare one that. */
  const keepDefault = () =>
    had(merchant(shop)("PATCH", `/locations/${ids.location_id}`, { body: { is_default: true } }));

  return async (operation: Operation, request: FuzzedRequest): Promise<Answer> => {
    if (operation.id === archivesLocation) await keepDefault();
    const isCheckout = operation.path === "/api/v1/checkout";
    const cart = isCheckout ? { cart_id: await filledCart(askerOf(operation, request)) } : {};
    return send(operation, request, { ids: cart });
  };
}

type Sending = Pick<CallOptions, "by"> &
  Readonly<{
    /** Identifiers instead of the world's own, or besides. */
    ids?: Readonly<Record<string, string>>;
  }>;

/** Who asks in such a business, and with which identifiers: each request is sent as it is, and nothing else. */
export async function fuzzedPartyOf(shop: CreatedBusiness) {
  await Promise.all([withoutLimits(shop), alwaysOpen(shop)]);
  const belongings = await givenBelongings(shop);
  const { asks, ids, sessionId } = await givenCustomerOf(shop, belongings, "+233241000001");
  const stock = `/inventory/${belongings.cup_id}/locations/${belongings.location_id}`;
  await had(merchant(shop)("PUT", stock, { body: { quantity_on_hand: 1_000_000 } }));
  const slot = Math.ceil(chance.now() / day) * day + 2 * day;
  const ownIds = {
    ...belongings,
    ...ids,
    publishable_key: shop.keys.publishable,
    slot_start: new Date(slot).toISOString(),
    slot_end: new Date(slot + 1.5 * hour).toISOString(), // its variant takes so long
  };
  const publishable = { "X-Public-Key": shop.keys.publishable };

  /** As whom an operation is asked. A cookie that is made up would end the customer's own session. */
  function askerOf(operation: Operation, { headers, isGuests }: FuzzedRequest): Ask {
    if (operation.security.some((way) => "operatorToken" in way)) return asOperator;
    const caller = callerOf(operation);
    return asks[caller === "customer" && (isGuests || "Cookie" in headers) ? "guest" : caller];
  }

  function send(
    operation: Operation,
    request: FuzzedRequest,
    { ids: more = {}, ...options }: Sending = {},
  ): Promise<Answer> {
    const { path, headers, ...body } = sent(request, { ...ownIds, ...more });
    const isOfLink = callerOf(operation) === "link";
    return askerOf(operation, request)(operation.method, path, {
      ...options,
      ...body,
      headers: { ...(isOfLink && publishable), ...headers },
    });
  }

  return { sessionId, asks, ids: ownIds, askerOf, send };
}

const archivesLocation = "DELETE /v1/businesses/{business_id}/locations/{location_id}";

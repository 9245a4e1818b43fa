import { runtime } from "../../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { day, hour } from "../../../shared/kernel/index.ts";
import {
  type ApiResponse,
  type CallOptions,
  createBusiness,
  merchant,
} from "../../support/world.ts";
import { type ApiCall, operatorClient, requireData } from "../api-clients.ts";
import { createBusinessRecords } from "../create-business-records.ts";
import { createCustomerRecords } from "../create-customer-records.ts";
import { callerOf, isOperatorCall, type Operation } from "../operations.ts";
import { openAllLocationsAllDay, raiseRateLimits } from "../prepare-business.ts";
import { type FuzzedRequest, withIds } from "./requests.ts";

/**
 * Creates a business with records of every kind and a customer with orders, messages and saved
 * data; returns the client for fuzzed requests.
 */
export const createFuzzClient = async () => createFuzzClientFor(await createBusiness());

/** As `createFuzzClient`, for a business that no isolate has cached yet. */
export async function createFuzzClientFor(shop: CreatedBusiness) {
  const { ids, clientFor, send } = await createFuzzShop(shop);

  /** Fills the cart with one item, because a checkout empties it; returns its id. */
  async function refillCart(ask: ApiCall): Promise<string> {
    await requireData(ask("DELETE", "/api/v1/cart"));
    const body = { item_id: ids.cup_id };
    return String((await requireData(ask("POST", "/api/v1/cart/items", { body }))).id);
  }

  /**
   * Makes the first location the default again: an earlier request may have changed it, and the
   * default cannot be archived.
   */
  const restoreDefaultLocation = () =>
    requireData(
      merchant(shop)("PATCH", `/locations/${ids.location_id}`, { body: { is_default: true } }),
    );

  return async (operation: Operation, request: FuzzedRequest): Promise<ApiResponse> => {
    if (operation.id === archiveLocationId) await restoreDefaultLocation();
    const isCheckout = operation.path === "/api/v1/checkout";
    const cart = isCheckout ? { cart_id: await refillCart(clientFor(operation, request)) } : {};
    return send(operation, request, { extraIds: cart });
  };
}

type SendOptions = Pick<CallOptions, "fetch"> &
  Readonly<{
    /** Identifiers in addition to those of the records, or instead of them. */
    extraIds?: Readonly<Record<string, string>>;
  }>;

/** Creates the records and clients of such a business; `send` sends each request unchanged. */
export async function createFuzzShop(shop: CreatedBusiness) {
  await Promise.all([raiseRateLimits(shop), openAllLocationsAllDay(shop)]);
  const belongings = await createBusinessRecords(shop);
  const { asks, ids, sessionId, passkey } = await createCustomerRecords(
    shop,
    belongings,
    "+233241000001",
  );
  const stock = `/inventory/${belongings.cup_id}/locations/${belongings.location_id}`;
  await requireData(merchant(shop)("PUT", stock, { body: { quantity_on_hand: 1_000_000 } }));
  const slot = Math.ceil(runtime.now() / day) * day + 2 * day;
  const ownIds = {
    ...belongings,
    ...ids,
    publishable_key: shop.keys.publishable,
    passkey_login: passkey.login,
    passkey_registration: passkey.registration,
    slot_start: new Date(slot).toISOString(),
    slot_end: new Date(slot + 1.5 * hour).toISOString(), // the duration of its variant
  };
  const publishable = { "X-Public-Key": shop.keys.publishable };

  /**
   * The client of an operation. A made-up cookie would end the customer's session, so such requests
   * go to a guest.
   */
  function clientFor(operation: Operation, { headers, isGuest }: FuzzedRequest): ApiCall {
    if (isOperatorCall(operation)) return operatorClient;
    const caller = callerOf(operation);
    return asks[caller === "customer" && (isGuest || "Cookie" in headers) ? "guest" : caller];
  }

  function send(
    operation: Operation,
    request: FuzzedRequest,
    { extraIds: moreIds = {}, ...options }: SendOptions = {},
  ): Promise<ApiResponse> {
    const { path, headers, ...body } = withIds(request, { ...ownIds, ...moreIds });
    const isLinkCall = callerOf(operation) === "link";
    return clientFor(operation, request)(operation.method, path, {
      ...options,
      ...body,
      headers: { ...(isLinkCall && publishable), ...headers },
    });
  }

  return { sessionId, asks, ids: ownIds, clientFor, send };
}

const archiveLocationId = "DELETE /v1/businesses/{business_id}/locations/{location_id}";

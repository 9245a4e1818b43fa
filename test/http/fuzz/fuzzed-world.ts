import { env } from "cloudflare:workers";
import { type Answer, call, givenBusiness } from "../../support/world.ts";
import {
  type Ask,
  alwaysOpen,
  givenBelongings,
  givenCustomerOf,
  withoutLimits,
} from "../foreign-world.ts";
import { callerOf, type Operation } from "../operations.ts";
import { type FuzzedRequest, sent } from "./requests.ts";

/** A business with something of every kind, and a customer who has bought, said and saved things. */
export async function givenFuzzedWorld() {
  const shop = await givenBusiness();
  await Promise.all([withoutLimits(shop), alwaysOpen(shop)]);
  const belongings = await givenBelongings(shop);
  const { asks, ids } = await givenCustomerOf(shop, belongings, "+233241000001");
  const ownIds = { ...belongings, ...ids, publishable_key: shop.keys.publishable };
  const publishable = { "X-Public-Key": shop.keys.publishable };

  /** As whom an operation is asked. A cookie that is made up would end the customer's own session. */
  function askerOf(operation: Operation, { headers, isGuests }: FuzzedRequest): Ask {
    if (operation.security.some((way) => "operatorToken" in way)) return asOperator;
    const caller = callerOf(operation);
    return asks[caller === "customer" && (isGuests || "Cookie" in headers) ? "guest" : caller];
  }

  return async (operation: Operation, request: FuzzedRequest): Promise<Answer> => {
    const { path, headers, ...body } = sent(request, ownIds);
    const ask = askerOf(operation, request);
    const isOfLink = callerOf(operation) === "link";
    return ask(operation.method, path, {
      ...body,
      headers: { ...(isOfLink && publishable), ...headers },
    });
  };
}

const asOperator: Ask = (method, path, { headers, ...options } = {}) =>
  call(method, path, {
    ...options,
    headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, ...headers },
  });

import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ApiResponse, type CallOptions, call } from "../support/world.ts";

export type ApiCall = (method: string, path: string, options?: CallOptions) => Promise<ApiResponse>;

let callCount = 0;

/**
 * Changes the client address every eight calls: the strictest limit per address is ten (one-time
 * codes, Link).
 */
export const withChangingAddress =
  (ask: ApiCall): ApiCall =>
  (method, path, { headers, ...options } = {}) => {
    const block = Math.floor(callCount++ / 8);
    const address = `10.9.${block >> 8}.${block & 255}`;
    return ask(method, path, {
      ...options,
      headers: { "CF-Connecting-IP": address, ...headers },
    });
  };

/**
 * The data of a response.
 *
 * @throws Error when the response is not a success.
 */
export async function requireData(pendingResponse: Promise<ApiResponse>) {
  const response = await pendingResponse;
  if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  return Object(response.body).data ?? response.body;
}

/** A client of all three APIs with the secret key. */
export const secretKeyClient = ({ keys }: CreatedBusiness): ApiCall =>
  withChangingAddress((method, path, { headers, ...options } = {}) =>
    call(method, path, { ...options, headers: { "X-API-Key": keys.secret, ...headers } }),
  );

/** A client with the deploy key; it takes whole paths. */
export const deployKeyClient = ({ keys }: CreatedBusiness): ApiCall =>
  withChangingAddress((method, path, { headers, ...options } = {}) =>
    call(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${keys.deploy}`, ...headers },
    }),
  );

/** A client with the operator's token; it takes whole paths. */
export const operatorClient: ApiCall = (method, path, { headers, ...options } = {}) =>
  call(method, path, {
    ...options,
    headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, ...headers },
  });

/** Lets a client whose own paths begin after the prefix take whole paths. */
export const withoutPathPrefix =
  (prefix: string, ask: ApiCall): ApiCall =>
  (method, path, options) =>
    ask(method, path.slice(prefix.length), options);

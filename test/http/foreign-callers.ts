import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Answer, type CallOptions, call } from "../support/world.ts";

export type Ask = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

let calls = 0;

/** As `ask`, from another address every few calls: the strictest limit of one is ten (one-time codes, Link). */
export const fromAnywhere =
  (ask: Ask): Ask =>
  (method, path, { headers, ...options } = {}) => {
    const block = Math.floor(calls++ / 8);
    const address = `10.9.${block >> 8}.${block & 255}`;
    return ask(method, path, {
      ...options,
      headers: { "CF-Connecting-IP": address, ...headers },
    });
  };

/** The data of an answer that has to be a success. */
export async function had(asked: Promise<Answer>) {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return Object(answer.body).data ?? answer.body;
}

/** The merchant's server, on any surface. */
export const asServer = ({ keys }: CreatedBusiness): Ask =>
  fromAnywhere((method, path, { headers, ...options } = {}) =>
    call(method, path, { ...options, headers: { "X-API-Key": keys.secret, ...headers } }),
  );

/** The merchant's build, with the deploy key, on whole paths. */
export const asBuild = ({ keys }: CreatedBusiness): Ask =>
  fromAnywhere((method, path, { headers, ...options } = {}) =>
    call(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${keys.deploy}`, ...headers },
    }),
  );

/** The deployment's operator, on whole paths. */
export const asOperator: Ask = (method, path, { headers, ...options } = {}) =>
  call(method, path, {
    ...options,
    headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, ...headers },
  });

/** Calls with whole paths, by somebody whose own paths begin after the prefix. */
export const beneath =
  (prefix: string, ask: Ask): Ask =>
  (method, path, options) =>
    ask(method, path.slice(prefix.length), options);

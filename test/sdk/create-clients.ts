import { env, exports } from "cloudflare:workers";
import {
  createBusiness as createBusinessClient,
  createLink,
  createOperator,
  createStorefront,
  type Fetch,
  type LinkTokens,
  type SessionStore,
  type Socket,
  type Storefront,
} from "../../sdk/src/index.ts";

const baseUrl = "https://duka.test";

let addresses = 0;

/** A `fetch` that sends requests through the whole Worker, from a network address of its own. */
export function createFetch(): Fetch {
  addresses += 1;
  const address = `10.9.${addresses >> 8}.${addresses & 255}`;
  return (url, init) => {
    const request = new Request(url, init);
    request.headers.set("CF-Connecting-IP", address);
    return exports.default.fetch(request);
  };
}

type ClientOptions = Readonly<{
  fetch?: Fetch;
  retries?: number;
  timeout?: number;
  session?: SessionStore;
  openSocket?: (url: string, protocols: string[]) => Socket | Promise<Socket>;
}>;

/** A shopper's client of the business. */
export const createShopper = (
  { keys }: Readonly<{ keys: { publishable: string } }>,
  { fetch = createFetch(), ...options }: ClientOptions = {},
): Storefront => createStorefront({ baseUrl, publicKey: keys.publishable, fetch, ...options });

/** A merchant's client of the business. */
export const createMerchant = (
  { keys, business }: Readonly<{ keys: { secret: string }; business: { id: string } }>,
  { fetch = createFetch(), ...options }: ClientOptions = {},
) =>
  createBusinessClient({
    ...{ baseUrl, secretKey: keys.secret, businessId: business.id },
    ...{ fetch, ...options },
  });

/** A customer's client of Link, at the business. */
export const createLinkCustomer = (
  { keys }: Readonly<{ keys: { publishable: string } }>,
  {
    fetch = createFetch(),
    ...options
  }: LinkTokens & {
    fetch?: Fetch;
    retries?: number;
    onTokens?: (tokens: LinkTokens) => unknown;
  } = {},
) => createLink({ baseUrl, publicKey: keys.publishable, fetch, ...options });

/** The operator's client. */
export const createDeploymentOperator = () =>
  createOperator({ baseUrl, operatorToken: env.OPERATOR_TOKEN, fetch: createFetch() });

/** A store of a session, such as localStorage, and what it holds. */
export function createStore(initial: string | null = null) {
  let text = initial;
  return {
    load: () => text,
    save: (session: string) => {
      text = session;
    },
    text: () => text,
  };
}

/** A `fetch` that records its requests in front of another one. */
export function recordRequests(send: Fetch = createFetch()) {
  const requests: Request[] = [];
  const fetch: Fetch = (url, init) => {
    requests.push(new Request(url, init));
    return send(url, init);
  };
  return { fetch, requests };
}

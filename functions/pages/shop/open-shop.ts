import {
  createStorefront,
  type Storefront,
  type StorefrontSchemas,
} from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { readSessionText, writeSessionText } from "../http/cookies.ts";
import { notFoundPage } from "../http/page-error.ts";

type HostedShop = StorefrontSchemas["HostedShop"];

/** A business's shop in one request, with the shopper's session. */
export type VisitedShop = Readonly<{
  business: HostedShop["business"];
  /** Whether no money moves. */
  isTest: boolean;
  /** The key with which its pages call the storefront API. */
  publicKey: string;
  api: Storefront;
  /** The path of its home page. */
  home: string;
  /** What the paths of its other pages begin with: nothing on the business's own domain. */
  path: string;
  origin: string;
  /** Whether the browser has a session with this shop, so that it may have a cart. */
  hasSession: () => boolean;
  /** The page of the order that this browser placed last; null for none. */
  lastOrderPath: () => string | null;
}>;

/** A changed name or colour shows after this time. */
const shopTtlMs = 5_000;
const maxShops = 1_000;
const shops = new Map<string, Readonly<{ found: HostedShop; at: number }>>();

/** How long an attempt may take, and how often it is repeated: a shopper waits for the page. */
const attempts = { timeout: 10_000, retries: 1 } as const;

/** @throws PageError 404 for an unknown slug or id. */
export async function openShop(c: PageContext, slugOrId: string): Promise<VisitedShop> {
  if (slugOrId.length > 200) throw notFoundPage();
  const { origin } = new URL(c.req.url);
  const client = { baseUrl: origin, ...attempts, fetch: createFetch(c) };
  const { public_key: publicKey, business } = await findShop(slugOrId, async () => {
    const anonymous = createStorefront({ ...client, publicKey: "" });
    return (await anonymous.business.getShop(slugOrId)).data;
  });
  // The front names the shop of a business's own domain, on which no other shop can be opened.
  const domainSlug = c.req.header("x-shop-domain");
  if (domainSlug !== undefined && domainSlug !== business.slug) throw notFoundPage();
  const path = domainSlug === undefined ? `/shop/${business.slug}` : "";
  let text = readSessionText(c, business.id);
  const session = {
    load: () => text,
    save: (saved: string) => {
      text = saved;
      writeSessionText(c, business.id, saved);
    },
  };
  return {
    business,
    isTest: publicKey.startsWith("pk_test_"),
    publicKey,
    api: createStorefront({ ...client, publicKey, session }),
    home: path === "" ? "/" : path,
    path,
    origin,
    hasSession: () => text !== null,
    lastOrderPath() {
      const [id, token] = text?.split(" ").slice(1).at(-1)?.split("=") ?? [];
      return id && token ? orderPath(id, token) : null;
    },
  };
}

/** The path of an order's page. */
export const orderPath = (orderId: string, token: string): string =>
  `/orders/${encodeURIComponent(orderId)}?token=${encodeURIComponent(token)}`;

/** The shop, which an isolate keeps for a few seconds. */
async function findShop(name: string, load: () => Promise<HostedShop>): Promise<HostedShop> {
  const known = shops.get(name);
  if (known && Math.abs(Date.now() - known.at) < shopTtlMs) return known.found;
  const found = await load();
  if (shops.size >= maxShops) shops.clear();
  shops.set(name, { found, at: Date.now() });
  return found;
}

/** Sends the SDK's requests to the storefront Worker, with the address of the shopper for its limits. */
const createFetch =
  (c: PageContext) =>
  async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const address = c.req.header("cf-connecting-ip");
    if (address !== undefined) request.headers.set("cf-connecting-ip", address);
    return c.env.STOREFRONT.fetch(request);
  };

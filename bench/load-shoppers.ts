import { BusinessRuleError, createStorefront, type Storefront } from "../sdk/src/index.ts";
import type { StockedShop } from "./create-stocked-shop.ts";
import { createVisitor, type RoundTrips, type Visitor } from "./visitor.ts";

export const callKinds = ["catalogue", "cart", "checkout", "other"] as const;
export type CallKind = (typeof callKinds)[number];

/** Percentages of all calls. */
type CallShares = Readonly<Record<CallKind, number>>;

const usualShares: CallShares = { catalogue: 80, cart: 15, checkout: 4, other: 1 };

export type ShopperOptions = Readonly<{
  shoppers: number;
  /** Whether the shoppers leave after their present call. */
  isOver: () => boolean;
  shares?: CallShares;
  /**
   * The service is killed meanwhile. Shoppers then wait for it, and repeat calls until they get a
   * response.
   */
  isKilled?: boolean;
  /** A shopper received this order. */
  onOrder?: (orderId: string) => void;
}>;

/** Is true after so many seconds. */
export function overAfter(seconds: number): () => boolean {
  const endsAt = performance.now() + seconds * 1_000;
  return () => performance.now() >= endsAt;
}

/**
 * What the shoppers measured, and the orders that they received. `reconcile` compares the orders
 * with the database.
 */
export type ShopperResults = {
  milliseconds: Record<CallKind, number[]>;
  /** The round trips of each call, in the same order as `milliseconds`. */
  roundTrips: Record<CallKind, RoundTrips[]>;
  /**
   * Round trips of catalogue reads whose path was read before, so that the cache may have served
   * them.
   */
  repeatedPageReads: RoundTrips[];
  /** Calls with status 422, for example when a product is sold out. */
  refused: number;
  errors: string[];
  /** Orders that checkout returned. */
  orderIds: string[];
};

/**
 * The longest pause of a shopper between two calls. The average pause limits how many calls so many
 * shoppers can make: 300 make at most 1,200 per second.
 */
const maxPauseMs = Number(process.env.LOAD_PAUSE_MS ?? 500);
/** A call that gets no response is sent so many times more with the same Idempotency-Key. */
const retries = 4;
/** Enough for a checkout whose Worker was killed: its object continues it after a minute. */
const retriesWhileKilled = 60;
const reconnectMs = 200;

/** Runs shoppers in parallel. Each shopper sends one call at a time. */
export async function simulateShoppers(
  origin: URL,
  shop: StockedShop,
  { shoppers, isOver, shares = usualShares, isKilled = false, onOrder }: ShopperOptions,
): Promise<ShopperResults> {
  const results: ShopperResults = {
    milliseconds: { catalogue: [], cart: [], checkout: [], other: [] },
    roundTrips: { catalogue: [], cart: [], checkout: [], other: [] },
    repeatedPageReads: [],
    refused: 0,
    errors: [],
    orderIds: [],
  };
  const requestedPaths = new Set<string>();
  const visits = Array.from({ length: shoppers }, async () => {
    const visitor = createVisitor(origin, {});
    const shopper = createShopper(visitor, {
      baseUrl: origin.origin,
      shop,
      results,
      requestedPaths,
      isKilled,
      onOrder,
    });
    await sleep(Math.random() * maxPauseMs);
    while (!isOver()) {
      await shopper.act(callKindAt(shares, Math.random() * 100));
      await sleep(Math.random() * maxPauseMs);
    }
    visitor.disconnect();
  });
  await Promise.all(visits);
  return results;
}

function createShopper(
  visitor: Visitor,
  {
    baseUrl,
    shop,
    results,
    requestedPaths,
    isKilled,
    onOrder,
  }: {
    baseUrl: string;
    shop: StockedShop;
    results: ShopperResults;
    requestedPaths: Set<string>;
    isKilled: boolean;
    onOrder: ShopperOptions["onOrder"];
  },
) {
  let kind: CallKind = "other";
  const { publishableKey: publicKey } = shop;
  /** A client whose session begins with its first call that needs one. */
  const startVisit = () =>
    createStorefront({
      ...{ baseUrl, publicKey, fetch: sendTimed },
      retries: isKilled ? retriesWhileKilled : retries,
    });
  let storefront = startVisit();
  let cartId: string | null = null;

  async function sendTimed(url: string, init: RequestInit): Promise<Response> {
    const before = performance.now();
    visitor.takeRoundTrips();
    const response = await sendWhenListening(url, init);
    if (response.status === 503 && !isKilled) results.errors.push(`${init.method} ${url}: 503`);
    results.milliseconds[kind].push(performance.now() - before);
    const roundTrips = visitor.takeRoundTrips();
    results.roundTrips[kind].push(roundTrips);
    if (kind === "catalogue" && requestedPaths.has(url)) results.repeatedPageReads.push(roundTrips);
    requestedPaths.add(url);
    return response;
  }

  /** Sends the call when the service listens, if it is killed meanwhile. */
  async function sendWhenListening(url: string, init: RequestInit): Promise<Response> {
    for (;;) {
      try {
        return await visitor.fetch(url, init);
      } catch (error) {
        if (!isKilled || Object(error).code !== "ECONNREFUSED") throw error;
        init.signal?.throwIfAborted();
        await sleep(reconnectMs);
      }
    }
  }

  async function add(): Promise<void> {
    const { data } = await storefront.cart.addItem({
      item_id: pickRandom(shop.products).id,
      quantity: 1 + Math.floor(Math.random() * 2),
    });
    cartId = data.id;
  }

  async function checkOut(): Promise<void> {
    if (cartId === null) await add();
    const { data } = await storefront.checkout.placeOrder({
      cart_id: cartId ?? "",
      customer: { name: "Ama Mensah", phone: "0241234560" },
      order_type: "pickup",
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
    });
    results.orderIds.push(data.order_id);
    onOrder?.(data.order_id);
    leave();
  }

  function leave(): void {
    cartId = null;
    storefront = startVisit();
  }

  const actions: Readonly<Record<CallKind, () => Promise<unknown>>> = {
    catalogue: () => openPage(storefront, shop),
    cart: () => {
      if (Math.random() < 0.6 || cartId === null) return add();
      return Math.random() < 0.5 ? storefront.cart.get() : storefront.cart.getTotal();
    },
    checkout: checkOut,
    other: () => storefront.business.get(),
  };

  return {
    async act(next: CallKind): Promise<void> {
      kind = next;
      try {
        await actions[kind]();
      } catch (error) {
        // Such refusals are expected, for example for sold-out products.
        if (error instanceof BusinessRuleError) {
          results.refused += 1;
          leave();
        } else results.errors.push(String(error));
      }
    },
  };
}

function callKindAt(callShares: CallShares, percentage: number): CallKind {
  let upperBound = 0;
  for (const kind of callKinds) {
    upperBound += callShares[kind];
    if (percentage < upperBound) return kind;
  }
  return "other";
}

function openPage({ products }: Storefront, shop: StockedShop): Promise<unknown> {
  const pages = [
    () => products.get(pickRandom(shop.products).id),
    () => products.list({ limit: 20 }).page(),
    () => products.list({ tags: "straw", limit: 20 }).page(),
    () => products.list({ search: pickRandom(shop.products).name }).page(),
  ];
  return pickRandom(pages)();
}

function pickRandom<T>(all: readonly T[]): T {
  const picked = all[Math.floor(Math.random() * all.length)];
  if (picked === undefined) throw new Error("There is nothing to choose from.");
  return picked;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

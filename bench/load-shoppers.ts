import { asRecord, asText } from "../scripts/seed/api-client.ts";
import type { StockedShop } from "./create-stocked-shop.ts";
import { createVisitor, type RoundTrips, type Visitor, type VisitorRequest } from "./visitor.ts";

export const callKinds = ["catalogue", "cart", "checkout", "other"] as const;
export type CallKind = (typeof callKinds)[number];

/** Percentages of all calls. */
const callShares: Readonly<Record<CallKind, number>> = {
  catalogue: 80,
  cart: 15,
  checkout: 4,
  other: 1,
};

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

/** The longest pause of a shopper between two calls. */
const maxPauseMs = 1_000;
/** A checkout that gets no response is sent so many times with the same Idempotency-Key. */
const maxAttempts = 5;

/** Runs shoppers in parallel. Each shopper sends one call at a time. */
export async function simulateShoppers(
  origin: URL,
  shop: StockedShop,
  { shoppers, seconds }: { shoppers: number; seconds: number },
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
  const endsAt = performance.now() + seconds * 1_000;
  const visits = Array.from({ length: shoppers }, async () => {
    const visitor = createVisitor(origin, { "X-Public-Key": shop.publishableKey });
    const shopper = createShopper(visitor, { shop, results, requestedPaths });
    await sleep(Math.random() * maxPauseMs);
    while (performance.now() < endsAt) {
      await shopper.act(callKindAt(Math.random() * 100));
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
    shop,
    results,
    requestedPaths,
  }: { shop: StockedShop; results: ShopperResults; requestedPaths: Set<string> },
) {
  let cartId: string | null = null;

  async function sendTimed(kind: CallKind, request: VisitorRequest): Promise<string> {
    const isRepeated = requestedPaths.has(request.path);
    const before = performance.now();
    visitor.takeRoundTrips();
    const response = await visitor.send(request);
    results.milliseconds[kind].push(performance.now() - before);
    const roundTrips = visitor.takeRoundTrips();
    results.roundTrips[kind].push(roundTrips);
    if (kind === "catalogue" && isRepeated) results.repeatedPageReads.push(roundTrips);
    requestedPaths.add(request.path);
    return response;
  }

  async function add(): Promise<void> {
    const body = {
      item_id: pickRandom(shop.products).id,
      quantity: 1 + Math.floor(Math.random() * 2),
    };
    const response = await sendTimed("cart", { method: "POST", path: "/api/v1/cart/items", body });
    cartId = asText(parseData(response).id);
  }

  async function checkOut(): Promise<void> {
    if (cartId === null) await add();
    const request: VisitorRequest = {
      method: "POST",
      path: "/api/v1/checkout",
      headers: { "Idempotency-Key": crypto.randomUUID() },
      body: {
        cart_id: cartId,
        customer: { name: "Ama Mensah", phone: "0241234560" },
        order_type: "pickup",
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
      },
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        results.orderIds.push(asText(parseData(await sendTimed("checkout", request)).order_id));
        break;
      } catch (error) {
        if (isRuleViolation(error) || attempt === maxAttempts) throw error;
        results.errors.push(String(error));
      }
    }
    cartId = null;
    visitor.startNewSession();
  }

  const actions: Readonly<Record<CallKind, () => Promise<unknown>>> = {
    catalogue: () => sendTimed("catalogue", { path: pickPage(shop) }),
    cart: () =>
      Math.random() < 0.6 || cartId === null
        ? add()
        : sendTimed("cart", { path: Math.random() < 0.5 ? "/api/v1/cart" : "/api/v1/cart/total" }),
    checkout: checkOut,
    other: () => sendTimed("other", { path: "/api/v1/business" }),
  };

  return {
    async act(kind: CallKind): Promise<void> {
      try {
        await actions[kind]();
      } catch (error) {
        if (isRuleViolation(error)) {
          results.refused += 1;
          cartId = null;
          visitor.startNewSession();
        } else results.errors.push(String(error));
      }
    },
  };
}

function callKindAt(percentage: number): CallKind {
  let upperBound = 0;
  for (const kind of callKinds) {
    upperBound += callShares[kind];
    if (percentage < upperBound) return kind;
  }
  return "other";
}

function pickPage({ products }: StockedShop): string {
  const catalogue = "/api/v1/catalogue/products";
  const pages = [
    `${catalogue}/${pickRandom(products).id}`,
    `${catalogue}?limit=20`,
    `${catalogue}?tags=straw&limit=20`,
    `${catalogue}?search=${encodeURIComponent(pickRandom(products).name)}`,
  ];
  return pickRandom(pages);
}

/**
 * Whether a call was refused with 422. Such refusals are expected, for example for sold-out
 * products.
 */
const isRuleViolation = (error: unknown): boolean => / 422 /.test(String(error));

const parseData = (response: string) => asRecord(asRecord(JSON.parse(response)).data);

function pickRandom<T>(all: readonly T[]): T {
  const picked = all[Math.floor(Math.random() * all.length)];
  if (picked === undefined) throw new Error("There is nothing to choose from.");
  return picked;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

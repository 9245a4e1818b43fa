import { record, text } from "../scripts/seed/api.ts";
import type { CountedShop } from "./load-shop.ts";
import { type Call, type RoundTrips, type Visitor, visitorAt } from "./visitor.ts";

export const kinds = ["catalogue", "cart", "checkout", "rest"] as const;
export type Kind = (typeof kinds)[number];

/** Of a hundred calls. */
const shares: Readonly<Record<Kind, number>> = { catalogue: 80, cart: 15, checkout: 4, rest: 1 };

/** What shoppers were told: the books have to say the same. */
export type Told = {
  milliseconds: Record<Kind, number[]>;
  /** Of each call, in the same order. */
  roundTrips: Record<Kind, RoundTrips[]>;
  /** Of those reads of the catalogue whose address was answered before. */
  pagesAgain: RoundTrips[];
  /** Refused by a rule, as when the pieces are sold out. */
  refused: number;
  errors: string[];
  /** Of the checkouts that were answered as placed. */
  orderIds: string[];
};

/** A shopper looks at an answer for so long at most. */
const mostPauseMs = 1_000;
/** A checkout without an answer is sent again under its key. */
const mostTries = 5;

/** So many shoppers, each with one call at a time, for so many seconds. */
export async function shopped(
  origin: URL,
  shop: CountedShop,
  { shoppers, seconds }: { shoppers: number; seconds: number },
): Promise<Told> {
  const told: Told = {
    milliseconds: { catalogue: [], cart: [], checkout: [], rest: [] },
    roundTrips: { catalogue: [], cart: [], checkout: [], rest: [] },
    pagesAgain: [],
    refused: 0,
    errors: [],
    orderIds: [],
  };
  const answered = new Set<string>();
  const until = performance.now() + seconds * 1_000;
  const visits = Array.from({ length: shoppers }, async () => {
    const visitor = visitorAt(origin, { "X-Public-Key": shop.publishableKey });
    const shopper = shopperOf(visitor, { shop, told, answered });
    await slept(Math.random() * mostPauseMs);
    while (performance.now() < until) {
      await shopper.act(kindOf(Math.random() * 100));
      await slept(Math.random() * mostPauseMs);
    }
    visitor.leave();
  });
  await Promise.all(visits);
  return told;
}

function shopperOf(
  visitor: Visitor,
  { shop, told, answered }: { shop: CountedShop; told: Told; answered: Set<string> },
) {
  let cartId: string | null = null;

  async function timed(kind: Kind, call: Call): Promise<string> {
    const isAgain = answered.has(call.path);
    const before = performance.now();
    visitor.takeRoundTrips();
    const answer = await visitor.call(call);
    told.milliseconds[kind].push(performance.now() - before);
    const roundTrips = visitor.takeRoundTrips();
    told.roundTrips[kind].push(roundTrips);
    if (kind === "catalogue" && isAgain) told.pagesAgain.push(roundTrips);
    answered.add(call.path);
    return answer;
  }

  async function add(): Promise<void> {
    const body = { item_id: someOf(shop.products).id, quantity: 1 + Math.floor(Math.random() * 2) };
    const answer = await timed("cart", { method: "POST", path: "/api/v1/cart/items", body });
    cartId = text(dataOf(answer).id);
  }

  async function checkOut(): Promise<void> {
    if (cartId === null) await add();
    const call: Call = {
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
    for (let tries = 1; ; tries += 1) {
      try {
        told.orderIds.push(text(dataOf(await timed("checkout", call)).order_id));
        break;
      } catch (error) {
        if (isRule(error) || tries === mostTries) throw error;
        told.errors.push(String(error));
      }
    }
    cartId = null;
    visitor.forget();
  }

  const acts: Readonly<Record<Kind, () => Promise<unknown>>> = {
    catalogue: () => timed("catalogue", { path: somePage(shop) }),
    cart: () =>
      Math.random() < 0.6 || cartId === null
        ? add()
        : timed("cart", { path: Math.random() < 0.5 ? "/api/v1/cart" : "/api/v1/cart/total" }),
    checkout: checkOut,
    rest: () => timed("rest", { path: "/api/v1/business" }),
  };

  return {
    async act(kind: Kind): Promise<void> {
      try {
        await acts[kind]();
      } catch (error) {
        if (isRule(error)) {
          told.refused += 1;
          cartId = null;
          visitor.forget();
        } else told.errors.push(String(error));
      }
    },
  };
}

function kindOf(draw: number): Kind {
  let below = 0;
  for (const kind of kinds) {
    below += shares[kind];
    if (draw < below) return kind;
  }
  return "rest";
}

function somePage({ products }: CountedShop): string {
  const catalogue = "/api/v1/catalogue/products";
  const pages = [
    `${catalogue}/${someOf(products).id}`,
    `${catalogue}?limit=20`,
    `${catalogue}?tags=straw&limit=20`,
    `${catalogue}?search=${encodeURIComponent(someOf(products).name)}`,
  ];
  return someOf(pages);
}

/** An answer of 422: the service did what it should. */
const isRule = (error: unknown): boolean => / 422 /.test(String(error));

const dataOf = (answer: string) => record(record(JSON.parse(answer)).data);

function someOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)];
  if (one === undefined) throw new Error("There is nothing to choose from.");
  return one;
}

const slept = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

import { expect, vi } from "vitest";
import type { Product } from "../../../shared/catalogue/index.ts";
import { createDeal } from "../../support/create-deal.ts";
import { createDeliveryMethod } from "../../support/create-delivery.ts";
import { createProduct, setStock } from "../../support/create-product.ts";
import { selectRows } from "../../support/select-rows.ts";
import { createBusiness, merchant } from "../../support/world.ts";
import { type AgentClient, agentClient } from "../agent-client.ts";
import { createPlatform } from "../platform.ts";
import { assertValid } from "../validator.ts";
import {
  activeOrder,
  type CheckoutModel,
  type Circumstances,
  reservedTea,
  type ShopModel,
  shopTerms,
  statusOf,
  totalsFor,
  type WantedRecord,
} from "./checkout-model.ts";

type TotalView = Readonly<{ type: string; amount: number }>;

/** A checkout of an agent with what the model expects of it. */
export type Tracked = Readonly<{ id: string; model: CheckoutModel }> & {
  /** The last completion, to be repeated with its key. */
  completion: Readonly<{ key: string; body: object; answer: object; at: number }> | null;
  /** The answer of the completed checkout, which never changes. */
  completed: object | null;
};

export type AgentScene = Readonly<{
  shop: TestShop;
  tea: Product;
  model: ShopModel;
  agent: AgentClient;
  /** All checkouts of the sequence; each buyer uses their latest one. */
  checkouts: { all: Tracked[]; current: (Tracked | undefined)[] };
}>;

export type TestShop = Awaited<ReturnType<typeof createTestShop>>;

/** An isolate may use a cached catalogue or business for less than this. */
const cacheMs = 11_000;

export const advanceClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

export async function createTestShop() {
  const created = await createBusiness();
  const settings = {
    tax: { rate_percent: String(shopTerms.taxPercent), inclusive: false },
    rate_limits: { public_per_minute: 1_000_000, secret_per_second: 1_000_000 },
  };
  expect(await merchant(created)("PATCH", "", { body: settings })).toMatchObject({ status: 200 });
  const { id: courierId } = await createDeliveryMethod(created, {
    price: { type: "flat", amountMinor: shopTerms.courierPrice },
  });
  await createDeal(created, { code: shopTerms.tenCode });
  await createDeal(created, {
    code: shopTerms.bigCode,
    ...{ discountType: "fixed_amount", value: String(shopTerms.bigAmount / 100) },
    minOrderSubtotalMinor: shopTerms.bigMinimum,
  });
  const book = await createProduct(created, {
    ...{ name: "Book", defaultPriceMinor: shopTerms.bookPrice },
  });
  advanceClock(cacheMs);
  return { ...created, courierId, bookId: book.id };
}

/** Starts a sequence with a tea of its own, so that only its orders reserve the stock. */
export async function openAgentScene(shop: TestShop): Promise<AgentScene> {
  const [teaPrice] = shopTerms.teaPrices;
  const tea = await createProduct(shop, {
    ...{ inventoryType: "tracked", defaultPriceMinor: teaPrice },
  });
  const onHand = 6;
  await setStock(shop, tea, onHand);
  return {
    ...{ shop, tea, model: { teaPrice, onHand } },
    agent: agentClient(shop, await createPlatform()),
    checkouts: { all: [], current: [] },
  };
}

export const circumstancesOf = ({ model, checkouts }: AgentScene): Circumstances => ({
  shop: model,
  checkouts: checkouts.all.map(({ model: checkout }) => checkout),
  now: Date.now(),
});

const destinations = {
  address: { id: "home", street_address: "1 Oxford Street", address_country: "GH" },
  courier: { id: "home", street_address: "1 Oxford Street", address_country: "GH" },
  abroad: { id: "far", street_address: "1 Main Street", address_country: "DE" },
} as const;

/** The request for a record. */
export function bodyFor({ shop, tea }: AgentScene, wanted: WantedRecord): object {
  const { delivery, codes, hasBuyer } = wanted;
  const lines = [
    { item: { id: tea.id }, quantity: wanted.tea },
    { item: { id: shop.bookId }, quantity: wanted.book },
  ];
  const selected = delivery === "courier" ? shop.courierId : null;
  return {
    line_items: lines.filter(({ quantity }) => quantity > 0),
    ...(hasBuyer && { buyer: { email: "ama@example.com" } }),
    ...(delivery !== "none" && {
      fulfillment: {
        methods: [
          {
            ...{ type: "shipping", destinations: [destinations[delivery]] },
            groups: [{ id: "shipping_1", selected_option_id: selected }],
          },
        ],
      },
    }),
    discounts: { codes },
  };
}

/** Asserts that an answer shows the checkout as the model has it, in the protocol's form. */
export async function assertShown(tracked: Tracked, body: ReturnType<typeof Object>) {
  await assertValid("2026-08-25", "checkout", body);
  const { model } = tracked;
  const status = statusOf(model, Date.now());
  const totals: readonly TotalView[] = body.totals;
  const shown = {
    id: body.id,
    status: body.status,
    totals: Object.fromEntries(totals.map(({ type, amount }) => [type, amount])),
  };
  expect(shown).toEqual({ id: tracked.id, status, totals: totalsFor(model.wanted, model) });
  const sum = totals.slice(0, -1).reduce((before, { amount }) => before + amount, 0);
  expect(sum).toBe(totals.at(-1)?.amount);
  expect(body.order === undefined).toBe(model.sold === null);
  const messages: readonly Readonly<{ code: string }>[] = body.messages ?? [];
  if (model.left) expect(messages.map(({ code }) => code)).toContain(model.left);
  if (status !== "completed") return;
  tracked.completed ??= body;
  expect(withoutMessages(body)).toEqual(withoutMessages(tracked.completed));
}

/** A refused change of a completed checkout adds a message. */
const withoutMessages = ({ messages: _messages, ...body }: ReturnType<typeof Object>) => body;

/** Asserts the orders of each checkout and the stock in the tables. */
export async function assertAgentTables(scene: AgentScene): Promise<void> {
  const { shop, tea, checkouts } = scene;
  const orders = await selectRows(
    shop,
    `select orders.session_id, orders.total_price_minor, orders.payment_status from orders
     where orders.business_id = ? and orders.status <> 'cancelled'
       and orders.session_id in (select value from json_each(?))`,
    shop.business.id,
    JSON.stringify(checkouts.all.map(({ id }) => sessionIdOf(id))),
  );
  const expected = checkouts.all.flatMap(({ id, model }) => {
    const order = activeOrder(model);
    if (order === null) return [];
    const payment_status = model.sold ? "captured" : "failed";
    return [{ session_id: sessionIdOf(id), total_price_minor: order.total, payment_status }];
  });
  const bySession = (rows: readonly Record<string, unknown>[]) =>
    rows.toSorted((a, b) => String(a.session_id).localeCompare(String(b.session_id)));
  expect(bySession(orders)).toEqual(bySession(expected));
  const [level] = await selectRows(
    shop,
    `select quantity_on_hand as onHand, quantity_reserved as reserved from stock_levels
     where business_id = ? and item_id = ?`,
    ...[shop.business.id, tea.id],
  );
  const reserved = reservedTea(checkouts.all.map(({ model }) => model));
  expect(level).toEqual({ onHand: scene.model.onHand, reserved });
}

const sessionIdOf = (checkoutId: string): string => checkoutId.replace("chk_", "ses_");

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { releases } from "../../shared/agents/index.ts";
import { hostileHeader, hostileSegment, hostileValue } from "../http/fuzz/hostile-values.ts";
import { jsonText } from "../http/fuzz/id-placeholders.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { agentClient } from "./agent-client.ts";
import { createPlatform, hostProfiles } from "./platform.ts";

hostProfiles();

const runs = 100;

const context = { currency: "GHS", address_country: "GH", language: "en" };
const filters = { categories: ["tea"], price: { min: 1, max: 5_000 } };
const record = (itemId: string) => ({
  line_items: [{ id: "li_1", item: { id: itemId }, quantity: 1 }],
  buyer: {
    email: "ama@example.com",
    phone_number: "+233200000000",
    consent: { "dev.ucp.consent.marketing": { granted: true, source: "platform", segments: {} } },
  },
  fulfillment: {
    methods: [
      {
        id: "shipping",
        type: "shipping",
        line_item_ids: ["li_1"],
        destinations: [{ id: "home", street_address: "1 Oxford Street", address_country: "GH" }],
        selected_destination_id: "home",
        groups: [{ id: "shipping_1", selected_option_id: "dm_1" }],
      },
    ],
  },
  discounts: { codes: ["TEN"] },
  context,
});
const completion = {
  payment: {
    instruments: [
      {
        id: "pi_1",
        handler_id: "sandbox",
        type: "card",
        selected: true,
        credential: { type: "token", token: "success_token" },
      },
    ],
  },
};

type Path = readonly (string | number)[];

/** The places of a value at which another value can be put. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    placesOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

function withValueAt(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((part, index) => (index === key ? withValueAt(part, rest, other) : part));
  return { ...Object(value), [key]: withValueAt(Object(value)[key], rest, other) };
}

describe.each(releases)("hostile calls in %s", (release) => {
  it("get an answer or an error of the protocol, and never a 500", async () => {
    const shop = await createBusiness();
    const { id } = await createProduct(shop);
    const agent = agentClient(shop, await createPlatform({ release }));
    const created = await agent("POST", "/carts", record(id));
    const cart = created.body.id;
    const checkout = (await agent("POST", "/checkout-sessions", record(id))).body.id;
    const calls = [
      ["POST", "/catalog/search", { query: "tea", filters, context, pagination: { limit: 5 } }],
      ["POST", "/catalog/lookup", { ids: [id], filters, context }],
      [
        "POST",
        "/catalog/product",
        { id, selected: [{ name: "Size", label: "S" }], preferences: ["Size"], filters },
      ],
      ["POST", "/carts", record(id)],
      ["PUT", `/carts/${cart}`, record(id)],
      ["POST", "/checkout-sessions", record(id)],
      ["POST", "/checkout-sessions", { cart_id: cart, line_items: [] }],
      ["PUT", `/checkout-sessions/${checkout}`, record(id)],
      ["POST", `/checkout-sessions/${checkout}/complete`, completion],
      ["GET", `/carts/${cart}`, undefined],
      ["POST", `/carts/${cart}/cancel`, {}],
      ["GET", `/checkout-sessions/${checkout}`, undefined],
      ["POST", `/checkout-sessions/${checkout}/cancel`, {}],
    ] as const;
    const hostileCall = fc.constantFrom(...calls).chain(([method, path, body]) =>
      fc.record({
        method: fc.constant(method),
        path: fc.oneof(
          { weight: 6, arbitrary: fc.constant(path) },
          hostileSegment.map((segment) => path.replace(/[a-z]+_[0-9a-z]+/, () => segment)),
        ),
        body: fc.oneof(
          { weight: 8, arbitrary: hostileBodyOf(body) },
          { weight: 1, arbitrary: fc.constant(body && jsonText(body)) },
        ),
        headers: fc.oneof(
          fc.constant({}),
          hostileHeader.map((header) => Object.fromEntries([header])),
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(hostileCall, async ({ method, path, body, headers }) => {
        const { status, body: answer } = await agent(method, path, body, headers);
        expect(status).toBeLessThan(500);
        if (status >= 400) expect("code" in answer || "messages" in answer).toBe(true);
        expect(JSON.stringify(answer)).not.toContain("success_token");
      }),
      { numRuns: runs },
    );
  });
});

/** The body with a hostile value in one or two of its places. */
const hostileBodyOf = (body: object | undefined): fc.Arbitrary<string | undefined> =>
  body === undefined
    ? fc.constant(undefined)
    : fc
        .array(fc.tuple(fc.constantFrom(...placesOf(body)), hostileValue), {
          minLength: 1,
          maxLength: 2,
        })
        .map((changes) =>
          jsonText(
            changes.reduce<unknown>(
              (value, [path, other]) => withValueAt(value, path, other),
              body,
            ),
          ),
        );

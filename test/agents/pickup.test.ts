import { beforeAll, describe, expect, it, vi } from "vitest";
import { releases } from "../../shared/agents/index.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, merchant } from "../support/world.ts";
import { type AgentClient, agentClient } from "./agent-client.ts";
import { createPlatform, hostProfiles } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

const buyer = { email: "ama@example.com", first_name: "Ama", last_name: "Mensah" };
const payment = {
  instruments: [
    {
      ...{ id: "pi_1", handler_id: "sandbox", type: "card" },
      credential: { type: "token", token: "success_token" },
    },
  ],
};

describe.each(releases)("a pickup in %s", (release) => {
  let shop: Awaited<ReturnType<typeof createBusiness>>;
  let teaId: string;
  let locationId: string;

  beforeAll(async () => {
    shop = await createBusiness();
    ({ id: teaId } = await createProduct(shop));
    await createDeliveryMethod(shop);
    const created = await merchant(shop)("POST", "/locations", {
      body: { name: "Osu", offers_pickup: true, pickup_instructions: "Ring the bell." },
    });
    expect(created.status).toBe(201);
    locationId = Object(created.body).data.id;
    vi.setSystemTime(Date.now() + 11_000); // isolates cache a business for 10 s
  });

  const createClient = async () => {
    const agent = agentClient(shop, await createPlatform({ release }));
    return async (...[method, path, body]: Parameters<AgentClient>) => {
      const response = await agent(method, path, body);
      await assertValid(release, "checkout", response.body);
      return response.body;
    };
  };
  const requestWith = (fulfillment?: object) => ({
    line_items: [{ item: { id: teaId }, quantity: 2 }],
    buyer,
    fulfillment,
  });
  const osu = () => ({
    ...(release === "2026-04-08" ? { street_address: null } : { type: "business_location" }),
    ...{ id: locationId, name: "Osu" },
  });

  it("is offered before a method is chosen, and beside a delivery", async () => {
    const agent = await createClient();
    const undecided = await agent("POST", "/checkout-sessions", requestWith());
    const [{ id: lineId }] = undecided.line_items;
    expect(undecided.status).toBe("incomplete");
    expect(undecided.fulfillment.methods).toMatchObject([
      { type: "shipping", destinations: [], groups: [] },
      {
        ...{ id: "pickup", type: "pickup", line_item_ids: [lineId] },
        destinations: [osu()],
        selected_destination_id: null,
      },
    ]);
    const shipped = await agent(
      "PUT",
      `/checkout-sessions/${undecided.id}`,
      requestWith({ methods: [{ type: "shipping" }] }),
    );
    expect(shipped.fulfillment.methods).toMatchObject([{ type: "shipping" }]);
  });

  it.each([
    ["its destination", { selected_destination_id: "osu" }],
    ["its option", { groups: [{ id: "pickup_1", selected_option_id: "osu" }] }],
  ])("is chosen by %s and becomes an order", async (_, choice) => {
    const agent = await createClient();
    const chosen = Object(JSON.parse(JSON.stringify(choice).replace("osu", locationId)));
    const ready = await agent(
      "POST",
      "/checkout-sessions",
      requestWith({ methods: [{ type: "pickup", ...chosen }] }),
    );
    const [{ id: lineId }] = ready.line_items;
    const pickup = {
      ...{ id: "pickup", type: "pickup", line_item_ids: [lineId], destinations: [osu()] },
      selected_destination_id: locationId,
      groups: [
        {
          id: "pickup_1",
          line_item_ids: [lineId],
          options: [
            {
              ...{ id: locationId, title: "Osu" },
              description:
                release === "2026-04-08" ? "Ring the bell." : { plain: "Ring the bell." },
              totals: [{ type: "total", amount: 0 }],
            },
          ],
          selected_option_id: locationId,
        },
      ],
    };
    expect(ready).toMatchObject({
      status: "ready_for_complete",
      fulfillment: { methods: [pickup] },
    });
    const { methods } = ready.fulfillment;
    const same = await agent("PUT", `/checkout-sessions/${ready.id}`, requestWith({ methods }));
    expect(same).toMatchObject({ status: "ready_for_complete", fulfillment: { methods } });
    expect(ready.totals).toContainEqual(
      expect.objectContaining({ type: "fulfillment", display_text: "Osu", amount: 0 }),
    );
    const completed = await agent("POST", `/checkout-sessions/${ready.id}/complete`, { payment });
    const { description: _description, ...option } = pickup.groups[0]?.options[0] ?? {};
    expect(completed).toMatchObject({
      status: "completed",
      fulfillment: {
        methods: [{ ...pickup, groups: [{ id: "pickup_1", options: [option] }] }],
      },
    });
    const orders = await selectRows(
      shop,
      "select order_type, location_id, total_price_minor from orders where id = ?",
      completed.order.id,
    );
    expect(orders).toEqual([
      { order_type: "pickup", location_id: locationId, total_price_minor: 2_000 },
    ]);
  });

  it("is unavailable at a location that offers none", async () => {
    const agent = await createClient();
    const home = shop.business.locations[0]?.id ?? "";
    const { status, messages } = await agent(
      "POST",
      "/checkout-sessions",
      requestWith({ methods: [{ type: "pickup", selected_destination_id: home }] }),
    );
    expect(status).toBe("incomplete");
    expect(messages).toMatchObject([
      { code: "fulfillment_unavailable", path: "$.fulfillment.methods[0]" },
    ]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import { platformWebhookUrl, profileUrl } from "../support/create-agent-order.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  createPlatform,
  createSigningShop,
  eventIdOf,
  isAcceptedByPlatform,
} from "./create-platform.ts";
import { failedOutcome, listDeliveryRows } from "./create-webhooks.ts";

type SigningShop = Awaited<ReturnType<typeof createSigningShop>>;

let world: SigningShop;

beforeEach(async () => {
  world = await createSigningShop();
});

describe("a platform that does not respond with a 2xx", () => {
  it.each([
    ["410", { statusCode: 410, error: "status 410" }],
    ["500", failedOutcome],
    ["nothing", { statusCode: null, error: "timeout" }],
  ])("gets the same event with the same body again after %s", async (_, outcome) => {
    const id = await world.placeOrder();
    const { received, send } = createPlatform(() => outcome);
    await world.deliver(send);
    expect(received.length).toBe(1); // what follows waits for a failing receiver's turn
    await world.ask("POST", `/orders/${id}/payments/mark-paid`, { body: {} });
    world.clock.now += minute;
    await world.deliver(send);
    const [first, again] = received;
    if (!first || !again) throw new Error("Nothing was retried.");
    expect(again.body).toBe(first.body);
    expect(eventIdOf(again)).toBe(eventIdOf(first));
    expect(again.headers["Webhook-Timestamp"]).toBe(first.headers["Webhook-Timestamp"]);
    expect(await isAcceptedByPlatform(again, world.keys.publicKey, world.clock.now)).toBe(true);
  });

  it("gets what a run has claimed that stopped in the middle", async () => {
    await world.placeOrder();
    const crashed = createPlatform(() => {
      throw new Error("The process ended.");
    });
    await expect(world.deliver(crashed.send)).rejects.toThrow("The process ended.");
    const { received, send } = createPlatform();
    world.clock.now += 2 * minute;
    await world.deliver(send);
    expect(received[0]?.body).toBe(crashed.received[0]?.body);
    expect(received.map(eventIdOf)[0]).toBe(crashed.received.map(eventIdOf)[0]);
  });

  it("receives nothing without a signature", async () => {
    await world.placeOrder();
    const { received, send } = createPlatform();
    await world.deliver(send, null);
    expect(received).toEqual([]);
    const [row] = await listDeliveryRows(world.ctx);
    expect(row).toMatchObject({ status: "failed", attempts: [{ error: "no signing key" }] });
  });

  it("receives nothing at a private address", async () => {
    await world.placeOrder({ agent: { webhookUrl: "https://10.0.0.7/webhooks" } });
    const { received, send } = createPlatform();
    await world.deliver(send);
    expect(received).toEqual([]);
    const [row] = await listDeliveryRows(world.ctx);
    expect(row).toMatchObject({ attempts: [{ error: "address not allowed" }] });
  });

  it("is sent to the URL of its newest order, and is active with it", async () => {
    const readReceivers = () =>
      selectRows(
        world.shop,
        `select url, status, consecutive_failures, failed_attempts from webhook_subscriptions
          where business_id = ? and platform_profile_url = ?`,
        world.shop.business.id,
        profileUrl,
      );
    await world.placeOrder();
    await world.ctx.db.$client
      .prepare("update webhook_subscriptions set failed_attempts = 3, consecutive_failures = 2")
      .run();
    await world.placeOrder();
    expect(await readReceivers()).toEqual([
      ...[{ url: platformWebhookUrl, status: "active" }].map((row) => ({
        ...row,
        ...{ consecutive_failures: 2, failed_attempts: 3 },
      })),
    ]);
    await world.ctx.db.$client
      .prepare("update webhook_subscriptions set status = 'disabled'")
      .run();
    const url = "https://agent.example.com/moved";
    await world.placeOrder({ agent: { webhookUrl: url } });
    expect(await readReceivers()).toEqual([
      { url, status: "active", consecutive_failures: 0, failed_attempts: 0 },
    ]);
    const { received, send } = createPlatform();
    await world.deliver(send);
    expect(new Set(received.map((webhook) => webhook.url))).toEqual(new Set([url]));
  });
});

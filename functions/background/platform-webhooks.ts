import {
  newestRelease,
  parseRelease,
  type SigningKey,
  signMessage,
} from "../../shared/agents/index.ts";
import { type Runtime, second } from "../../shared/kernel/index.ts";
import { findOrdersForAgents } from "../../shared/orders/index.ts";
import type { LoadOrderPayloads, SignPlatformWebhook } from "../../shared/webhooks/index.ts";
import { createAgentOrderUrl } from "../runtime/order-links.ts";
import type { Settings } from "../runtime/settings.ts";
import { viewAgentOrder } from "../wire/views/agent-order.ts";

/** What webhooks to the platforms of agents need in addition to those of merchants. */
export type PlatformWebhooks = Readonly<{
  loadPayloads: LoadOrderPayloads;
  sign: SignPlatformWebhook;
}>;

type PlatformContext = Pick<Runtime, "now"> &
  Readonly<{
    settings: Pick<Settings, "sessionSecret" | "publicUrl">;
    /** Loads the key with which a business signs; null when it has none. */
    loadKey: (businessId: string) => Promise<SigningKey | null>;
  }>;

/** Composes and signs webhooks to platforms (docs/agents.md#order-webhooks). */
export const createPlatformWebhooks = (ctx: PlatformContext): PlatformWebhooks => ({
  loadPayloads: createPayloads(ctx),
  sign: createSigner(ctx),
});

/** Loads whole orders as platforms receive them, each in the release in which it was placed. */
const createPayloads =
  ({ settings, now }: PlatformContext): LoadOrderPayloads =>
  async (ctx, orderIds) => {
    const orders = await findOrdersForAgents(ctx, orderIds);
    const payloads = orders.flatMap(({ details, agent }) => {
      if (agent === null) return [];
      const { id, version } = details.order;
      const link = { businessId: ctx.business.id, orderId: id, now: now() };
      return [
        createAgentOrderUrl(settings, { ...link, businessAddress: agent.businessAddress }).then(
          (permalinkUrl) => {
            const release = parseRelease(agent.release) ?? newestRelease;
            const data = viewAgentOrder({ details, agent }, { release, permalinkUrl });
            return [id, { version, data }] as const;
          },
        ),
      ];
    });
    return new Map(await Promise.all(payloads));
  };

/** Loads the key of each business once in a run. */
function createSigner({ loadKey }: PlatformContext): SignPlatformWebhook {
  const keys = new Map<string, Promise<SigningKey | null>>();
  const keyOf = (businessId: string): Promise<SigningKey | null> => {
    const known = keys.get(businessId) ?? loadKey(businessId);
    keys.set(businessId, known);
    return known;
  };
  return async ({ businessId, businessAddress, url, body, eventId, occurredAt, at }) => {
    const key = await keyOf(businessId);
    if (key === null) return null;
    const headers = {
      "Content-Type": "application/json",
      "UCP-Agent": `profile="${businessAddress}/.well-known/ucp"`,
      "Webhook-Id": eventId,
      "Webhook-Timestamp": String(Math.floor(occurredAt / second)),
    };
    const signature = await signMessage(
      {
        ...{ type: "request", method: "POST", url },
        headers: new Headers(headers),
        body: new Uint8Array(new TextEncoder().encode(body)),
      },
      { key, createdAt: at, headers: ["webhook-id", "webhook-timestamp"] },
    );
    return { ...headers, ...signature };
  };
}

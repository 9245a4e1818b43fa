// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, ItemOf, List, Result } from "../runtime/types.ts";
import type { operations } from "./storefront-types.ts";

export const webhookRoutes = {
  webhooks: {
    create: "POST /webhooks body key",
    list: "GET /webhooks",
    delete: "DELETE /webhooks/{} key",
    update: "PATCH /webhooks/{} body key",
    rotateSecret: "POST /webhooks/{}/rotate-secret key",
    test: "POST /webhooks/{}/test? key",
    listDeliveries: "GET /webhooks/{}/deliveries? cursor",
    retryDelivery: "POST /webhooks/deliveries/{}/retry key",
  },
} as const;

export interface WebhookMethods {
  readonly webhooks: Readonly<{
    /**
     * Create a webhook.
     */
    create: (input: InputOf<operations["createWebhook"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createWebhook"]>>>;
    /**
     * List webhooks.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listWebhooks"]>>>;
    /**
     * Delete a webhook.
     */
    delete: (webhookId: string, options?: CallOptions) => Promise<Result<DataOf<operations["deleteWebhook"]>>>;
    /**
     * Update a webhook.
     *
     * Activating it resets its count of failed events.
     */
    update: (webhookId: string, input: InputOf<operations["updateWebhook"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateWebhook"]>>>;
    /**
     * Rotate a webhook's secret.
     *
     * The old secret also signs for 24 hours.
     */
    rotateSecret: (webhookId: string, options?: CallOptions) => Promise<Result<DataOf<operations["rotateWebhookSecret"]>>>;
    /**
     * Send a test event once.
     *
     * The webhook's deliveries show the result.
     */
    test: (webhookId: string, input?: InputOf<operations["testWebhook"]>, options?: CallOptions) => Promise<Result<DataOf<operations["testWebhook"]>>>;
    /**
     * List a webhook's deliveries of the last 30 days, newest first.
     */
    listDeliveries: (webhookId: string, input?: InputOf<operations["listWebhookDeliveries"]>, options?: CallOptions) => List<ItemOf<operations["listWebhookDeliveries"]>, DataOf<operations["listWebhookDeliveries"]>>;
    /**
     * Retry a delivery now.
     */
    retryDelivery: (deliveryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["retryWebhookDelivery"]>>>;
  }>;
}

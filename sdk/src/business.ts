import { type BusinessMethods, businessRoutes } from "./generated/business.ts";
import type { components } from "./generated/business-types.ts";
import { type WebhookMethods, webhookRoutes } from "./generated/webhooks.ts";
import {
  type Connection,
  connect,
  openWebSocket,
  type SocketOptions,
} from "./runtime/connection.ts";
import { createMethods } from "./runtime/methods.ts";
import { isRecord } from "./runtime/route.ts";
import type { ClientOptions } from "./runtime/types.ts";

/** The records of the business API by name, such as `BusinessSchemas["MerchantOrder"]`. */
export type BusinessSchemas = components["schemas"];

type BusinessCredentials =
  | Readonly<{
      /** The business's secret key, `sk_…`. For the methods of `assets` a deploy key. */
      secretKey: string;
      credentials?: undefined;
    }>
  | Readonly<{
      /** The member who is logged in with the browser's cookie, for pages of the service's host. */
      credentials: "cookie";
      secretKey?: undefined;
    }>;

export type BusinessOptions = ClientOptions &
  SocketOptions &
  BusinessCredentials &
  Readonly<{ businessId: string }>;

type ConversationMessage = BusinessSchemas["Message"];

export type Business = Omit<BusinessMethods, "conversations"> &
  WebhookMethods &
  Readonly<{
    conversations: BusinessMethods["conversations"] &
      Readonly<{
        /**
         * Iterates over the messages of a conversation as they arrive, over lost connections.
         * `after` (a time) begins with the messages that followed it.
         */
        connect: (threadId: string, input?: { after?: string }) => Connection<ConversationMessage>;
      }>;
  }>;

/** A merchant's client of one business. A secret key must not reach a browser. */
export function createBusiness(options: BusinessOptions): Business {
  const { secretKey, businessId } = options;
  const keyHeaders: Record<string, string> =
    secretKey === undefined ? {} : { Authorization: `Bearer ${secretKey}` };
  const caller = {
    headers: () => ({ ...keyHeaders, "X-Business-Id": businessId }),
    usesCookie: secretKey === undefined,
  };
  const prefix = `/v1/businesses/${encodeURIComponent(businessId)}`;
  const methods = createMethods<BusinessMethods>({ options, prefix, caller }, businessRoutes);
  const webhooks = { options, prefix: "/api/v1", caller };

  const { conversations, ...groups } = methods;
  return {
    ...groups,
    ...createMethods<WebhookMethods>(webhooks, webhookRoutes),
    conversations: {
      ...conversations,
      connect: (threadId, { after } = {}) =>
        connect<ConversationMessage>({
          async open(callOptions) {
            const { data } = await conversations.createTicket(threadId, callOptions);
            return openWebSocket(options, data.url, []);
          },
          after,
          readAfter: async (input, callOptions) =>
            (await conversations.get(threadId, input, callOptions)).data.messages,
          isMessage: (value): value is ConversationMessage =>
            isRecord(value) && typeof value.id === "string",
        }),
    },
  };
}

export * from "./runtime/errors.ts";
export type { CallOptions, List, Page, Result } from "./runtime/types.ts";

import { type StorefrontMethods, storefrontRoutes } from "./generated/storefront.ts";
import type { components } from "./generated/storefront-types.ts";
import {
  type Connection,
  connect,
  openWebSocket,
  type Socket,
  type SocketOptions,
} from "./runtime/connection.ts";
import { createMethods } from "./runtime/methods.ts";
import { isRecord, parseRoute } from "./runtime/route.ts";
import { addressOf, callApi, type Transport } from "./runtime/send.ts";
import { createSession, type SessionStore } from "./runtime/session.ts";
import type { ClientOptions } from "./runtime/types.ts";

/** The records of the storefront API by name, such as `StorefrontSchemas["Product"]`. */
export type StorefrontSchemas = components["schemas"];

export type StorefrontOptions = ClientOptions &
  SocketOptions &
  Readonly<{
    /** The business's publishable key, `pk_…`. */
    publicKey: string;
    /**
     * Where the shopper's session is kept. Left out, it lasts as long as this object. `cookie`
     * leaves it to the browser, for pages on the service's own site.
     */
    session?: SessionStore | "cookie" | undefined;
  }>;

type ConversationMessage = StorefrontSchemas["Message"];

const loginPath = "/auth/verify-otp";

export type Storefront = Omit<StorefrontMethods, "support"> &
  Readonly<{
    support: StorefrontMethods["support"] &
      Readonly<{
        /**
         * Iterates over the messages of the shopper's conversation as they arrive, over lost
         * connections. `after` (a time) begins with the messages that followed it.
         */
        connect: (input?: { after?: string }) => Connection<ConversationMessage>;
      }>;
  }>;

/** A shopper's client of one business. */
export function createStorefront(options: StorefrontOptions): Storefront {
  const usesCookie = options.session === "cookie";
  const prefix = "/api/v1";
  const keyHeaders = () => ({ "X-Public-Key": options.publicKey });
  const anonymous: Transport = { options, prefix, caller: { headers: keyHeaders } };
  const start = async () => {
    // Repeating it is safe, also without a stored key: a session that nobody uses is nothing.
    const route = parseRoute(`${storefrontRoutes.auth.createSession} key`);
    const { data } = await callApi(anonymous, route, { path: route.path, input: {}, options: {} });
    return isRecord(data) ? String(data.session_token) : "";
  };
  const store = typeof options.session === "object" ? options.session : undefined;
  const session = createSession(store, start);
  let socketId: string | undefined;

  const transport: Transport = {
    options,
    prefix,
    caller: {
      async headers({ flags }) {
        if (usesCookie || !flags.has("session")) return keyHeaders();
        return { ...keyHeaders(), "X-Session-Token": await session.requireToken() };
      },
      onResponse: ({ headers }, { path }, { "X-Session-Token": sent }) => {
        const token = headers.get("X-Session-Token");
        return path === loginPath ? session.keepToken(token) : session.keepToken(token, sent);
      },
      usesCookie,
    },
  };
  const methods = createMethods<StorefrontMethods>(transport, storefrontRoutes, {
    async prepareInput({ queryNames }, path, input) {
      if (path === loginPath) return { socket_id: socketId, ...input };
      const orderId = /^\/orders\/([^/]+)/.exec(path)?.[1];
      if (orderId === undefined || !queryNames.includes("token")) return input;
      return { token: await session.billTokenOf(orderId), ...input };
    },
    async onAnswer(data) {
      if (!isRecord(data)) return;
      const { order_id: orderId, bill_token: billToken } = data;
      if (typeof orderId === "string" && typeof billToken === "string") {
        await session.keepBillToken(orderId, billToken);
      }
    },
  });

  async function open(): Promise<Socket> {
    const query = `public_key=${encodeURIComponent(options.publicKey)}`;
    const url = addressOf(options, `${prefix}/support/conversation/ws?${query}`);
    const protocols = usesCookie ? [] : ["duka", `duka.session.${await session.requireToken()}`];
    return openWebSocket(options, url.replace(/^http/, "ws"), protocols);
  }

  const { support, ...groups } = methods;
  return {
    ...groups,
    support: {
      ...support,
      connect: ({ after } = {}) =>
        connect<ConversationMessage>({
          open,
          after,
          readAfter: async (input, callOptions) =>
            (await support.listMessages(input, callOptions)).data,
          onSocketId: (id) => {
            socketId = id;
          },
          isMessage: (value): value is ConversationMessage =>
            isRecord(value) && typeof value.id === "string",
        }),
    },
  };
}

/**
 * The field of a checkout that lets it charge nothing but the total that the shopper saw:
 * `shop.checkout.placeOrder({ ...expectedTotal(cart), payment_method: "card" })`.
 */
export const expectedTotal = (
  cart: Readonly<{ pricing: Readonly<{ total_price: string }> }>,
): { expected_total: string } => ({ expected_total: cart.pricing.total_price });

export * from "./runtime/errors.ts";
export type { CallOptions, List, Page, Result } from "./runtime/types.ts";

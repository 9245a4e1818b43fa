import type { RequestContext } from "../http/context.ts";
import type { ApiBindings } from "../runtime/bindings.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";
import type { AgentSessionObject } from "../runtime/objects/agent-session-object.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import type { SessionObject } from "./objects/cart-session/session-calls.ts";

export type StorefrontBindings = ApiBindings &
  MessageBindings &
  Readonly<{
    FILES: R2Bucket;
    CART_SESSION: Readonly<{ getByName(name: string): SessionObject & AgentSessionObject }>;
    SUPPORT_CONVERSATION: ConversationBinding;
  }>;

/** The context of a request to the storefront API. */
export type StorefrontContext = RequestContext<StorefrontBindings>;

/** The path of the support conversation's WebSocket, below the prefix. */
export const supportSocketPath = "/support/conversation/ws";

import type { SurfaceBindings } from "../http/api-env.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import type { SessionObject } from "./objects/cart-session/session-object.ts";

export type StorefrontBindings = SurfaceBindings &
  MessageBindings &
  Readonly<{
    FILES: R2Bucket;
    CART_SESSION: Readonly<{ getByName(name: string): SessionObject }>;
    SUPPORT_CONVERSATION: ConversationBinding;
  }>;

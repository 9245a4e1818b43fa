import type { MessageBindings } from "../http/message-queue.ts";
import type { SurfaceBindings } from "../http/surface-env.ts";
import type { ConversationBinding } from "../objects/conversation-object.ts";
import type { SessionObject } from "./objects/session-object.ts";

export type StorefrontBindings = SurfaceBindings &
  MessageBindings &
  Readonly<{
    FILES: R2Bucket;
    CART_SESSION: Readonly<{ getByName(name: string): SessionObject }>;
    SUPPORT_CONVERSATION: ConversationBinding;
  }>;

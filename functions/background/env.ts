import type { Announcement } from "../http/api-env.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import type { Work } from "./work.ts";

/** What the background Worker is bound to, besides the shards that SHOP_SHARDS names. */
export type BackgroundBindings = Readonly<{
  CORE: D1Database;
  EVENTS: Queue<Announcement>;
  WORK: Queue<Work>;
  FILES: R2Bucket;
  SUPPORT_CONVERSATION: ConversationBinding;
}>;

import type { FileBindings } from "../http/files/file-urls.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";

/** What the business Worker is bound to, besides the shards that SHOP_SHARDS names. */
export type BusinessBindings = FileBindings &
  Readonly<{ SUPPORT_CONVERSATION: ConversationBinding }>;

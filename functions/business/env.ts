import type { FileBindings } from "../http/file-addresses.ts";
import type { ConversationBinding } from "../objects/conversation-object.ts";

/** What the business Worker is bound to, besides the shards that SHOP_SHARDS names. */
export type BusinessBindings = FileBindings &
  Readonly<{ SUPPORT_CONVERSATION: ConversationBinding }>;

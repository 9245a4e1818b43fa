import type { FileBindings } from "../http/files/file-urls.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";

/** The bindings of the business Worker, without the shards that SHOP_SHARDS names. */
export type BusinessBindings = FileBindings &
  Readonly<{ SUPPORT_CONVERSATION: ConversationBinding }>;

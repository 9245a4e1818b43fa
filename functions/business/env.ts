import type { FileBindings } from "../http/files/file-urls.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import type { JobBindings } from "./wake-jobs.ts";

/** The bindings of the business Worker, except the databases of the shards, which SHOP_SHARDS names. */
export type BusinessBindings = FileBindings &
  MessageBindings &
  JobBindings &
  Readonly<{ SUPPORT_CONVERSATION: ConversationBinding }>;

import type { OutboxWakeup } from "../runtime/bindings.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";
import type { MetricsBindings } from "../runtime/metrics/hand-over.ts";
import type { ConversationBinding } from "../runtime/objects/conversation-object.ts";
import type { QueuedJob } from "./queued-job.ts";

/** The background Worker's bindings, without the shards that SHOP_SHARDS lists. */
export type BackgroundBindings = MessageBindings &
  MetricsBindings &
  Readonly<{
    CORE: D1Database;
    EVENTS: Queue<OutboxWakeup>;
    WORK: Queue<QueuedJob>;
    FILES: R2Bucket;
    SUPPORT_CONVERSATION: ConversationBinding;
  }>;

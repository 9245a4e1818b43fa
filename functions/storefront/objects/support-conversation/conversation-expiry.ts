import { day } from "../../../../shared/kernel/index.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { ListSync } from "./conversation-list-sync.ts";
import type { ConversationSockets } from "./conversation-sockets.ts";
import type { ConversationStore } from "./conversation-store.ts";

/** How long a guest's conversation without a message is stored. */
export const emptyConversationTtlMs = day;

type ExpiryParts = Readonly<{
  store: ConversationStore;
  sockets: ConversationSockets;
  listSync: ListSync;
  alarms: Alarms<"listCopy" | "ping" | "expiry">;
}>;

/** Deletes a guest's conversation that is a day old and has no message and no open socket. */
export async function expireIfEmpty({
  store,
  sockets,
  listSync,
  alarms,
}: ExpiryParts): Promise<void> {
  const isEmptyOfGuest = () => {
    const conversation = store.find();
    return conversation?.messageCount === 0 && conversation.customerId === null;
  };
  if (!isEmptyOfGuest()) return alarms.clear("expiry");
  const now = runtime.now();
  const expiresAt = store.requireConversation().createdAt + emptyConversationTtlMs;
  if (expiresAt > now) return alarms.set("expiry", expiresAt);
  if (sockets.all().length > 0) return alarms.set("expiry", now + emptyConversationTtlMs);
  await listSync.remove();
  // A message that arrived in the meantime keeps the conversation, which is then listed again.
  if (isEmptyOfGuest() && sockets.all().length === 0) await store.wipe();
  else listSync.schedule();
}

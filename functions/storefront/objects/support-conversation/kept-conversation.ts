import {
  type Conversation,
  conversationMigrations,
  conversationRepo,
} from "../../../../shared/support/index.ts";
import type { ConversationBusiness } from "../../../runtime/objects/conversation-object.ts";
import { isMigrated, migrate } from "../../../runtime/objects/migrations.ts";

/** The conversation as its object stores it: there is nothing before it begins, and all of it after. */
export function keptConversation(storage: DurableObjectStorage) {
  let exists = isMigrated(storage);
  if (exists) migrate(storage, conversationMigrations); // what an earlier release stored
  const repo = conversationRepo({ sql: storage.sql, exist: () => exists });

  return {
    ...repo,

    /** Whose it is; null before it begins. */
    business: (): ConversationBusiness | null =>
      storage.kv.get<ConversationBusiness>("business") ?? null,

    begin(conversation: Conversation, business: ConversationBusiness): void {
      storage.transactionSync(() => {
        migrate(storage, conversationMigrations);
        exists = true;
        storage.kv.put("business", business);
        repo.save(conversation);
      });
    },

    /** All or nothing of several writes. */
    transaction: <T>(write: () => T): T => storage.transactionSync(write),
  };
}

export type KeptConversation = ReturnType<typeof keptConversation>;

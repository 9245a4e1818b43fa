import {
  type Conversation,
  conversationMigrations,
  conversationRepo,
} from "../../../../shared/support/index.ts";
import type { ConversationBusiness } from "../../../runtime/objects/conversation-object.ts";
import { isMigrated, migrate, type ObjectSchema } from "../../../runtime/objects/migrations.ts";

const conversationSchema: ObjectSchema = {
  migrations: conversationMigrations,
  create: conversationMigrations.join("\n"),
};

/** The conversation in its object's storage. The storage is empty until `create` is called. */
export function createConversationStore(storage: DurableObjectStorage) {
  let exists = isMigrated(storage);
  if (exists) migrate(storage, conversationSchema);
  const repo = conversationRepo({ sql: storage.sql, exist: () => exists });
  let business: ConversationBusiness | null = null;

  return {
    ...repo,

    /** The business of the conversation. Null before `create` is called. */
    business(): ConversationBusiness | null {
      business ??= storage.kv.get<ConversationBusiness>("business") ?? null;
      return business;
    },

    create(conversation: Conversation, owner: ConversationBusiness): void {
      storage.transactionSync(() => {
        migrate(storage, conversationSchema);
        exists = true;
        storage.kv.put("business", owner);
        repo.save(conversation);
      });
    },

    /** When the shopper last looked at a message that was new then; 0 before. */
    shopperSeenAt: (): number => storage.kv.get<number>("shopperSeenAt") ?? 0,

    /** Notes that the shopper looks at the conversation, if it has a message since the last time. */
    noteShopperSeen(now: number): void {
      const { lastMessageAt } = repo.find() ?? { lastMessageAt: null };
      const seenAt = storage.kv.get<number>("shopperSeenAt") ?? 0;
      if (lastMessageAt !== null && lastMessageAt > seenAt)
        storage.kv.put("shopperSeenAt", Math.max(now, lastMessageAt));
    },

    /** Deletes the conversation and the object's alarm. */
    async wipe(): Promise<void> {
      exists = false;
      business = null;
      await Promise.all([storage.deleteAlarm(), storage.deleteAll()]);
    },

    /** @throws Error before `create`. */
    requireConversation(): Conversation {
      const conversation = repo.find();
      if (conversation === null) throw new Error("The conversation does not exist yet.");
      return conversation;
    },

    /** Waits until all writes so far are stored for good. */
    sync: (): Promise<void> => storage.sync(),

    transaction: <T>(write: () => T): T => storage.transactionSync(write),
  };
}

export type ConversationStore = ReturnType<typeof createConversationStore>;

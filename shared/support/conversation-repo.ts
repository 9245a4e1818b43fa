import { type AuditEntry, integerText, type ObjectDatabase } from "../database/index.ts";
import type { Conversation } from "./conversation.ts";
import type { Attachment, SenderType, SupportMessage } from "./message.ts";
import type { PendingEvent } from "./message-event.ts";

/**
 * The migrations of the database that each conversation has. Only append to the list: each
 * migration runs once per database.
 */
export const conversationMigrations: readonly string[] = [
  `create table conversation (
     only_one integer primary key check (only_one = 1),
     record text not null
   );
   create table messages (
     id text primary key,
     sender_type text not null check (sender_type in ('customer', 'agent', 'system', 'ai')),
     content text not null,
     attachments text not null,
     client_id text unique,
     request_key text unique,
     created_at integer not null unique
   );
   create table audit_entries (
     id text primary key,
     entry text not null
   );`,
  `create table pending_events (
     id text primary key,
     event text not null
   );`,
];

type MessageRow = {
  id: string;
  sender_type: SenderType;
  content: string;
  attachments: string;
  client_id: string | null;
  created_at: number;
};

type StoredConversation = Omit<Conversation, "awaitsReply" | "unreadCount"> &
  Partial<Pick<Conversation, "awaitsReply" | "unreadCount">>;

const columns = "id, sender_type, content, attachments, client_id, created_at";

/** One conversation and its messages, in the database of its Durable Object. */
export function conversationRepo({ sql, exist }: ObjectDatabase) {
  function selectMessages(condition: string, ...values: (string | number)[]): SupportMessage[] {
    if (!exist()) return [];
    return sql
      .exec<MessageRow>(`select ${columns} from messages ${condition}`, ...values)
      .toArray()
      .map(toSupportMessage);
  }

  const findBy = (
    column: "client_id" | "request_key",
    value: string | null,
  ): SupportMessage | undefined =>
    value === null ? undefined : selectMessages(`where ${column} = ?`, value)[0];

  return {
    /** Returns null while the conversation does not exist yet. */
    find(): Conversation | null {
      if (!exist()) return null;
      const [row] = sql.exec<{ record: string }>("select record from conversation").toArray();
      if (!row) return null;
      // Records from before these fields were stored count as read and answered.
      return { unreadCount: 0, awaitsReply: false, ...parseColumn<StoredConversation>(row.record) };
    },

    save(conversation: Conversation): void {
      sql.exec(
        "insert or replace into conversation (only_one, record) values (1, ?)",
        JSON.stringify(conversation),
      );
    },

    /**
     * Inserts a message. Violates a UNIQUE constraint when a message with the same client_id,
     * request key or time exists.
     */
    insertMessage(message: SupportMessage, requestKey: string | null): void {
      sql.exec(
        `insert into messages (${columns}, request_key) values (?, ?, ?, ?, ?, ?, ?)`,
        message.id,
        message.senderType,
        message.content,
        JSON.stringify(message.attachments),
        message.clientId,
        message.createdAt,
        requestKey,
      );
    },

    findByClientId: (clientId: string | null) => findBy("client_id", clientId),
    findByRequestKey: (requestKey: string | null) => findBy("request_key", requestKey),

    /** The latest messages, oldest first. */
    listLatest: (limit: number): SupportMessage[] =>
      selectMessages(`order by created_at desc limit ${integerText(limit)}`).reverse(),

    /** The messages after a time in epoch milliseconds, oldest first. */
    listAfter: (at: number, limit: number): SupportMessage[] =>
      selectMessages(`where created_at > ? order by created_at limit ${integerText(limit)}`, at),

    /** How many messages the customer has sent after a time in epoch milliseconds. */
    countFromCustomerAfter: (at: number): number =>
      exist()
        ? sql
            .exec<{ count: number }>(
              "select count(*) as count from messages where created_at > ? and sender_type = 'customer'",
              at,
            )
            .one().count
        : 0,

    /** Stores an audit entry until it is copied to the business's audit trail. */
    addAuditEntry(entry: AuditEntry): void {
      sql.exec(
        "insert into audit_entries (id, entry) values (?, ?)",
        entry.id,
        JSON.stringify(entry),
      );
    },

    listAuditEntries: (limit: number): AuditEntry[] =>
      exist()
        ? sql
            .exec<{ entry: string }>(
              `select entry from audit_entries order by id limit ${integerText(limit)}`,
            )
            .toArray()
            .map(({ entry }) => parseColumn<AuditEntry>(entry))
        : [],

    deleteAuditEntries(ids: readonly string[]): void {
      sql.exec(
        "delete from audit_entries where id in (select value from json_each(?))",
        JSON.stringify(ids),
      );
    },

    /** Stores an event until it is copied to the business's outbox. */
    addEvent(event: PendingEvent): void {
      sql.exec(
        "insert into pending_events (id, event) values (?, ?)",
        event.id,
        JSON.stringify(event),
      );
    },

    listEvents: (limit: number): PendingEvent[] =>
      exist()
        ? sql
            .exec<{ event: string }>(
              `select event from pending_events order by id limit ${integerText(limit)}`,
            )
            .toArray()
            .map(({ event }) => parseColumn<PendingEvent>(event))
        : [],

    deleteEvents(ids: readonly string[]): void {
      sql.exec(
        "delete from pending_events where id in (select value from json_each(?))",
        JSON.stringify(ids),
      );
    },

    /** Deletes all messages, and their events that are not copied yet. */
    deleteMessages(): void {
      sql.exec("delete from messages");
      sql.exec("delete from pending_events");
    },
  };
}

export type ConversationRepo = ReturnType<typeof conversationRepo>;

const toSupportMessage = (row: MessageRow): SupportMessage => ({
  id: row.id,
  senderType: row.sender_type,
  content: row.content,
  attachments: parseColumn<readonly Attachment[]>(row.attachments),
  clientId: row.client_id,
  createdAt: row.created_at,
});

// Safe: only this repository writes these columns.
const parseColumn = <T>(json: string): T => JSON.parse(json) as T;

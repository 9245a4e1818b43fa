import type { AuditEntry, OwnTables } from "../database/index.ts";
import type { Conversation } from "./conversation.ts";
import type { Attachment, Message, SenderType } from "./message.ts";

/** The tables of a conversation's own database; append-only, run once each. */
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
];

type MessageRow = {
  id: string;
  sender_type: SenderType;
  content: string;
  attachments: string;
  client_id: string | null;
  created_at: number;
};

const columns = "id, sender_type, content, attachments, client_id, created_at";

/** One conversation with its messages, in the database of its own object. */
export function conversationRepo({ sql, exist }: OwnTables) {
  function messagesWhere(condition: string, ...values: (string | number)[]): Message[] {
    if (!exist()) return [];
    return sql
      .exec<MessageRow>(`select ${columns} from messages ${condition}`, ...values)
      .toArray()
      .map(fromRow);
  }

  const findBy = (
    column: "client_id" | "request_key",
    value: string | null,
  ): Message | undefined =>
    value === null ? undefined : messagesWhere(`where ${column} = ?`, value)[0];

  return {
    /** Null before anything of it was stored. */
    find(): Conversation | null {
      if (!exist()) return null;
      const [row] = sql.exec<{ record: string }>("select record from conversation").toArray();
      return row ? parsed<Conversation>(row.record) : null;
    },

    save(conversation: Conversation): void {
      sql.exec(
        "insert or replace into conversation (only_one, record) values (1, ?)",
        JSON.stringify(conversation),
      );
    },

    /** Breaks a UNIQUE rule when its client_id, its request or its time was there before. */
    add(message: Message, requestKey: string | null): void {
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
    findByRequest: (requestKey: string | null) => findBy("request_key", requestKey),

    /** The last ones, in the order that they were said. */
    latest: (limit: number): Message[] =>
      messagesWhere("order by created_at desc limit ?", limit).reverse(),

    /** Those after a moment, from the earliest on. */
    after: (at: number, limit: number): Message[] =>
      messagesWhere("where created_at > ? order by created_at limit ?", at, limit),

    /** Who changed what, until it stands in the shop's audit trail. */
    addAudit(entry: AuditEntry): void {
      sql.exec(
        "insert into audit_entries (id, entry) values (?, ?)",
        entry.id,
        JSON.stringify(entry),
      );
    },

    audits: (limit: number): AuditEntry[] =>
      exist()
        ? sql
            .exec<{ entry: string }>("select entry from audit_entries order by id limit ?", limit)
            .toArray()
            .map(({ entry }) => parsed<AuditEntry>(entry))
        : [],

    removeAudits(ids: readonly string[]): void {
      sql.exec(
        "delete from audit_entries where id in (select value from json_each(?))",
        JSON.stringify(ids),
      );
    },

    /** Takes every word that was said away. */
    removeMessages(): void {
      sql.exec("delete from messages");
    },
  };
}

export type ConversationRepo = ReturnType<typeof conversationRepo>;

const fromRow = (row: MessageRow): Message => ({
  id: row.id,
  senderType: row.sender_type,
  content: row.content,
  attachments: parsed<readonly Attachment[]>(row.attachments),
  clientId: row.client_id,
  createdAt: row.created_at,
});

// Safe: the columns hold nothing but what this repository put there.
const parsed = <T>(json: string): T => JSON.parse(json) as T;

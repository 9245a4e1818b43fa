import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import {
  type BatchedRead,
  batchedRead,
  type Context,
  events,
  readTogether,
} from "../../database/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "../../orders/index.ts";
import {
  type InvoicedSubscription,
  subscriptionRepo,
  toInvoicedSubscription,
} from "../../subscriptions/index.ts";
import type { QueuedMessage } from "../message.ts";
import { optionalMessages } from "../message-name.ts";
import type { MessageSettings } from "../settings.ts";
import { messageOptOuts, messages, suppressedRecipients } from "../tables.ts";
import type { TemplateOverride } from "../templates/template.ts";
import { templateRepo } from "../templates/template-repo.ts";

type FactsContext = Pick<Context, "db" | "business">;

/** The data of the event that a message is about. */
export type EventFacts = Readonly<{ createdAt: number; data: Readonly<Record<string, unknown>> }>;

/** What a conversation and the messages about it say since an answer was posted. */
export type AnswerFacts = Readonly<{
  customerName: string | null;
  customerEmail: string | null;
  /** What was posted since the shopper's last message before the answer. */
  posts: readonly Readonly<{ isShopper: boolean; content: string | null; at: number }>[];
  /** When the last message about the conversation was sent. */
  lastSentAt: number | null;
}>;

/** Everything that an attempt needs of the shard. */
export type MessageFacts = Readonly<{
  settings: MessageSettings;
  override: TemplateOverride | null;
  isSuppressed: boolean;
  isUnsubscribed: boolean;
  event: EventFacts | null;
  order: OrderDetails | null;
  subscription: InvoicedSubscription | null;
  answer: AnswerFacts | null;
}>;

/** Reads it in one round trip. */
export async function loadMessageFacts(
  ctx: FactsContext,
  message: QueuedMessage,
): Promise<MessageFacts> {
  const templates = templateRepo(ctx);
  const reads = {
    settings: templates.readSettings(),
    override: templates.read(message.name),
    isSuppressed: suppressionRead(ctx, message),
    isUnsubscribed: optOutRead(ctx, message),
    event: eventRead(ctx, message),
    order: orderRead(ctx, message),
    subscription: subscriptionRead(ctx, message),
    answer: answerRead(ctx, message),
  } satisfies { [Name in keyof MessageFacts]: BatchedRead<MessageFacts[Name]> };
  const values = await readTogether<unknown>(ctx.db, Object.values(reads));
  const facts = Object.fromEntries(Object.keys(reads).map((name, index) => [name, values[index]]));
  return facts as MessageFacts; // safe: one value for each read, in order
}

const suppressionRead = (
  { db, business }: FactsContext,
  { channel, recipient }: QueuedMessage,
): BatchedRead<boolean> =>
  batchedRead(
    [
      db
        .select({ reason: suppressedRecipients.reason })
        .from(suppressedRecipients)
        .where(
          and(
            eq(suppressedRecipients.businessId, business.id),
            eq(suppressedRecipients.channel, channel),
            eq(suppressedRecipients.recipient, recipient),
          ),
        ),
    ],
    ([rows]) => rows.length > 0,
  );

const optOutRead = (
  { db, business }: FactsContext,
  { name, recipient }: QueuedMessage,
): BatchedRead<boolean> =>
  optionalMessages.includes(name)
    ? batchedRead(
        [
          db
            .select({ createdAt: messageOptOuts.createdAt })
            .from(messageOptOuts)
            .where(
              and(
                eq(messageOptOuts.businessId, business.id),
                eq(messageOptOuts.recipient, recipient),
              ),
            ),
        ],
        ([rows]) => rows.length > 0,
      )
    : { queries: [], parse: () => false };

const nothing: BatchedRead<null> = { queries: [], parse: () => null };

/** Reads the table events of shared/database. */
const eventRead = (
  { db, business }: FactsContext,
  { eventId }: QueuedMessage,
): BatchedRead<EventFacts | null> =>
  eventId === null
    ? nothing
    : batchedRead(
        [
          db
            .select({ createdAt: events.createdAt, data: events.data })
            .from(events)
            .where(and(eq(events.id, eventId), sql`+${events.businessId} = ${business.id}`)),
        ],
        ([[row]]) => row ?? null,
      );

const orderRead = (
  ctx: FactsContext,
  { orderId }: QueuedMessage,
): BatchedRead<OrderDetails | null> =>
  orderId === null
    ? nothing
    : batchedRead(
        orderDetailsQueries(ctx, sql`(${orderId})`),
        (rows) => toOrderRecords(rows)[0]?.details ?? null,
      );

const subscriptionRead = (
  ctx: FactsContext,
  { name, subjectId }: QueuedMessage,
): BatchedRead<InvoicedSubscription | null> =>
  name.startsWith("subscription.")
    ? batchedRead(subscriptionRepo(ctx).dueQueries(subjectId), ([rows, invoices]) =>
        rows.length === 0 ? null : toInvoicedSubscription(rows, invoices),
      )
    : nothing;

/** More answers than a message shows. */
const maxPosts = 50;

/**
 * Reads the posts around the answer, the customer, and when the last message about the conversation
 * was sent. Reads events of shared/database and customers of shared/customers.
 */
const answerRead = (
  { db, business }: FactsContext,
  { name, subjectId, eventId, customerId }: QueuedMessage,
): BatchedRead<AnswerFacts | null> => {
  if (name !== "support.reply") return nothing;
  const lastQuestion = sql`coalesce((select max(question.created_at) from events as question
    where question.business_id = ${business.id} and question.subject_id = ${subjectId}
      and question.data ->> 'sender_type' = 'customer' and question.created_at < (
        select answer.created_at from events as answer where answer.id = ${eventId})), 0)`;
  return batchedRead(
    [
      db
        .select({ at: events.createdAt, data: events.data })
        .from(events)
        .where(
          and(
            eq(events.businessId, business.id),
            eq(events.subjectId, subjectId),
            gt(events.createdAt, lastQuestion),
          ),
        )
        .orderBy(asc(events.sequence))
        .limit(maxPosts),
      db
        .select({ name: sql<string | null>`asker.name`, email: sql<string | null>`asker.email` })
        .from(sql`customers as asker`)
        .where(sql`asker.id = ${customerId} and asker.business_id = ${business.id}`),
      db
        .select({ sentAt: sql<number | null>`max(${messages.sentAt})` })
        .from(messages)
        .where(
          and(
            eq(messages.businessId, business.id),
            eq(messages.subjectId, subjectId),
            inArray(messages.name, ["support.reply"]),
          ),
        ),
    ],
    ([posts, [customer], [last]]) => ({
      customerName: customer?.name ?? null,
      customerEmail: customer?.email ?? null,
      posts: posts.map(({ at, data }) => ({
        at,
        isShopper: data.sender_type === "customer",
        content: typeof data.content === "string" ? data.content : null,
      })),
      lastSentAt: last?.sentAt ?? null,
    }),
  );
};

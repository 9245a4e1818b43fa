import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import {
  type BatchedRead,
  batchedRead,
  type Context,
  combineReads,
  events,
  isRowOfBusiness,
  readTogetherByKey,
} from "../../database/index.ts";
import { channels } from "../../messaging/index.ts";
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

/** Reads the facts of queued messages of one business in one round trip. Returns them by message id. */
export async function loadMessageFacts(
  ctx: FactsContext,
  queued: readonly QueuedMessage[],
): Promise<ReadonlyMap<string, MessageFacts>> {
  const templates = templateRepo(ctx);
  const found = await readTogetherByKey(ctx.db, {
    settings: templates.readSettings(),
    overrides: templates.readMany(queued.map(({ name }) => name)),
    suppressed: suppressedRead(ctx, queued),
    unsubscribed: unsubscribedRead(ctx, queued),
    events: eventsRead(ctx, queued),
    orders: ordersRead(ctx, queued),
    subscriptions: combineReads(queued.map((message) => subscriptionRead(ctx, message))),
    answers: combineReads(queued.map((message) => answerRead(ctx, message))),
  });
  const factsOf = (message: QueuedMessage, index: number): MessageFacts => ({
    settings: found.settings,
    override: found.overrides.get(message.name) ?? null,
    isSuppressed: found.suppressed.has(recipientKeyOf(message)),
    isUnsubscribed:
      optionalMessages.includes(message.name) && found.unsubscribed.has(message.recipient),
    event: found.events.get(message.eventId ?? "") ?? null,
    order: found.orders.get(message.orderId ?? "") ?? null,
    subscription: found.subscriptions[index] ?? null,
    answer: found.answers[index] ?? null,
  });
  return new Map(queued.map((message, index) => [message.id, factsOf(message, index)]));
}

/** A read that needs no query, because its value is known. */
const knownRead = <T>(value: T): BatchedRead<T> => ({ queries: [], parse: () => value });

/** SQL for a list of values, in parentheses, as one parameter: D1 allows 100. */
const listOf = (values: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify([...new Set(values)])}))`;

const recipientKeyOf = ({
  channel,
  recipient,
}: Pick<QueuedMessage, "channel" | "recipient">): string => `${channel} ${recipient}`;

const suppressedRead = (
  { db, business }: FactsContext,
  queued: readonly QueuedMessage[],
): BatchedRead<ReadonlySet<string>> =>
  batchedRead(
    [
      db
        .select({
          channel: suppressedRecipients.channel,
          recipient: suppressedRecipients.recipient,
        })
        .from(suppressedRecipients)
        .where(
          and(
            eq(suppressedRecipients.businessId, business.id),
            inArray(suppressedRecipients.channel, channels), // for the primary key
            sql`${suppressedRecipients.recipient} in ${listOf(queued.map(({ recipient }) => recipient))}`,
          ),
        ),
    ],
    ([rows]) => new Set(rows.map(recipientKeyOf)),
  );

const unsubscribedRead = (
  { db, business }: FactsContext,
  queued: readonly QueuedMessage[],
): BatchedRead<ReadonlySet<string>> => {
  const optional = queued.filter(({ name }) => optionalMessages.includes(name));
  if (optional.length === 0) return knownRead(new Set());
  return batchedRead(
    [
      db
        .select({ recipient: messageOptOuts.recipient })
        .from(messageOptOuts)
        .where(
          and(
            eq(messageOptOuts.businessId, business.id),
            sql`${messageOptOuts.recipient} in ${listOf(optional.map(({ recipient }) => recipient))}`,
          ),
        ),
    ],
    ([rows]) => new Set(rows.map(({ recipient }) => recipient)),
  );
};

/** Reads the table events of shared/database. */
const eventsRead = (
  { db, business }: FactsContext,
  queued: readonly QueuedMessage[],
): BatchedRead<ReadonlyMap<string, EventFacts>> => {
  const ids = queued.flatMap(({ eventId }) => eventId ?? []);
  if (ids.length === 0) return knownRead(new Map());
  return batchedRead(
    [
      db
        .select({ id: events.id, createdAt: events.createdAt, data: events.data })
        .from(events)
        .where(
          and(sql`${events.id} in ${listOf(ids)}`, isRowOfBusiness(events.businessId, business)),
        ),
    ],
    ([rows]) => new Map(rows.map(({ id, ...event }) => [id, event])),
  );
};

const ordersRead = (
  ctx: FactsContext,
  queued: readonly QueuedMessage[],
): BatchedRead<ReadonlyMap<string, OrderDetails>> => {
  const ids = queued.flatMap(({ orderId }) => orderId ?? []);
  if (ids.length === 0) return knownRead(new Map());
  return batchedRead(
    orderDetailsQueries(ctx, listOf(ids)),
    (rows) => new Map(toOrderRecords(rows).map(({ details }) => [details.order.id, details])),
  );
};

const subscriptionRead = (
  ctx: FactsContext,
  { name, subjectId }: QueuedMessage,
): BatchedRead<InvoicedSubscription | null> =>
  name.startsWith("subscription.")
    ? batchedRead(subscriptionRepo(ctx).dueQueries(subjectId), ([rows, invoices]) =>
        rows.length === 0 ? null : toInvoicedSubscription(rows, invoices),
      )
    : knownRead(null);

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
  if (name !== "support.reply") return knownRead(null);
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

import type { BusinessWithHostname } from "../../../shared/businesses/index.ts";
import { second } from "../../../shared/kernel/index.ts";
import {
  type Attempt,
  attemptMessage,
  type ClaimedMessage,
  createFactsReader,
  recordAttempts,
  type SendingContext,
} from "../../../shared/messages/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import { type RecordTask, splitOnError } from "../runs/process-concurrently.ts";

/** An attempt reads what the message shows, and gives its provider ten seconds to answer. */
const longestAttemptMs = 15 * second;
/** With fewer queries left, outcomes that could not be stored together are not stored one by one. */
const queriesToStoreAgain = 50;

/** Sends the messages of a shard for one run of the job, and stores the outcomes together. */
export function createMessageAttempts(background: BackgroundContext, shard: string) {
  const db = background.dbOf(shard);
  const { now } = background.runtime;
  const facts = createFactsReader();
  /** The attempts whose outcomes are not stored yet. */
  const ended: Attempt[] = [];
  /** By conversation: whether the message about its last answer was settled. */
  const lastAnswers = new Map<string, Promise<boolean>>();
  let retryAt: number | null = null;

  function reportMessageError(what: string, id: string, error: unknown): void {
    background.failedRecords.add({ job: "send-messages", shard, record: id }, error);
    if (!isTemporaryRefusal(error)) reportError(what, { message: id }, error);
  }

  async function storeTogether(attempts: readonly Attempt[]): Promise<void> {
    try {
      await recordAttempts({ db, now }, attempts);
    } catch (error) {
      if (!isTemporaryRefusal(error)) throw error;
      // Otherwise messages would be sent again because a connection was lost.
      await recordAttempts({ db, now }, attempts);
    }
    for (const { message, outcome } of attempts) {
      if (outcome.status === "failed") reportFailure(message, outcome.error);
      retryAt = outcome.nextAttemptAt;
    }
  }

  /**
   * Stores the outcomes so far. Those of each business are stored by themselves, because the writes of
   * a business that is being moved fail. Those that cannot be stored are reported.
   */
  async function store(): Promise<void> {
    const attempts = Map.groupBy(ended.splice(0), ({ message }) => message.businessId);
    const storeOfBusiness = (own: readonly Attempt[]) =>
      splitOnError(own, storeTogether, {
        mayRetry: (error) =>
          !isTemporaryRefusal(error) && background.queries.remaining() >= queriesToStoreAgain,
        report: ({ message }, error) =>
          reportMessageError("outcome of a message not stored", message.id, error),
      });
    await Promise.all([...attempts.values()].map(storeOfBusiness));
  }

  /**
   * Sends a message, unless its lease may end meanwhile. Returns whether it is settled, and not to be
   * tried again.
   */
  async function send(ctx: SendingContext, message: ClaimedMessage): Promise<boolean> {
    const { leaseUntil } = message;
    if (leaseUntil !== null && leaseUntil < now() + longestAttemptMs) return false;
    const attempt = await attemptMessage(ctx, message);
    ended.push(attempt);
    return attempt.outcome.status !== "queued";
  }

  /**
   * Sends messages about answers of one conversation one after the other. An e-mail shows the other
   * answers too, which then need none. While the provider does not answer, the others wait until their
   * leases end.
   */
  async function sendAnswer(ctx: SendingContext, message: ClaimedMessage): Promise<void> {
    const earlier = lastAnswers.get(message.subjectId);
    const sendAfterEarlier = async () => {
      if (earlier === undefined) return send(ctx, message);
      if (!(await earlier)) return false;
      await store();
      return send(ctx, message);
    };
    const sending = sendAfterEarlier();
    lastAnswers.set(message.subjectId, sending);
    await sending;
  }

  function createContext(sender: BusinessWithHostname): SendingContext {
    const { business } = sender;
    return {
      ...background.sendingContextFor(sender),
      db,
      loadFacts: (message) => facts.load({ db, business, now }, message),
      reportError: ({ id }, error) => reportMessageError("message not sent", id, error),
    };
  }

  return {
    store,

    /** When the message whose outcome was stored last is tried again; null when it is not. */
    retryAt: (): number | null => retryAt,

    /** Returns the tasks that send messages of a business. */
    createTasks(
      sender: BusinessWithHostname,
      messages: readonly ClaimedMessage[],
    ): readonly RecordTask[] {
      const ctx = createContext(sender);
      facts.announce(messages.filter((message) => !isAboutAnswer(message)));
      return messages.map((message) => ({
        businessId: message.businessId,
        run: async () => void (await (isAboutAnswer(message) ? sendAnswer : send)(ctx, message)),
      }));
    },
  };
}

const isAboutAnswer = ({ name }: ClaimedMessage): boolean => name === "support.reply";

/** Reports a message that is not tried again. */
export const reportFailure = ({ id, name, channel }: ClaimedMessage, reason: string | null): void =>
  reportError("message failed", { message: id, name, channel, reason }, "it is given up");

import {
  type AgentCartRequest,
  type AgentPlatform,
  type AgentProblem,
  type AgentSession,
  type AgentStage,
  agentSessionExpiresAt,
} from "../../../../../shared/agents/index.ts";
import type { Actor } from "../../../../../shared/kernel/index.ts";
import type { PaymentStatus } from "../../../../../shared/payments/index.ts";
import type { AgentAddresses } from "../../../../runtime/objects/agent-session-object.ts";

/** What a session's object stores about the agent that created it. */
export type AgentRecord = Readonly<{
  businessId: string;
  platform: AgentPlatform;
  /** As of the agent's last write; absent in a record that was stored before the field existed. */
  addresses?: AgentAddresses;
  /** The linked customer whose agent it is. */
  login: Readonly<{ customerId: string; loggedInAt: number }> | null;
  stage: AgentStage;
  /** The session's cart. After a sale the session has another one, which is not the agent's. */
  cartId: string;
  /** What the agent sent last. */
  request: AgentCartRequest;
  /** What followed from it. */
  priced: Pick<AgentSession, "deliveryOptions" | "coupons" | "problems" | "needsHandover">;
  /**
   * What was chosen in the cart when `priced` was computed, to see that the buyer has changed it;
   * absent in a record that was stored before the field existed.
   */
  choices?: string;
  /** What the last completion left, until the next change. */
  completionProblems: readonly AgentProblem[];
  /** Changes with every write, so that a payment is never resumed for another cart. */
  revision: string;
  /** Orders that the payer did not pay, and that another completion replaces. */
  unpaidOrderIds: readonly string[];
  /** The order whose sale was read from the database, so that it is not read again. */
  sold: Readonly<{ orderId: string; paymentStatus: PaymentStatus }> | null;
  createdAt: number;
  changedAt: number;
  canceledAt: number | null;
}>;

const recordKey = "agent";

/** The record of a session that an agent created; a shopper's session has none. */
export function agentRecordRepo({ kv }: Pick<DurableObjectStorage, "kv">) {
  let cached: AgentRecord | null | undefined;
  return {
    find(): AgentRecord | null {
      cached ??= kv.get<AgentRecord>(recordKey) ?? null;
      return cached;
    },
    /** Call this inside the object's transaction. */
    save(record: AgentRecord): void {
      kv.put(recordKey, record);
      cached = record;
    },
    /** After a rollback, and when the object's storage was deleted. */
    clearCache(): void {
      cached = undefined;
    },
  };
}

export type AgentRecordRepo = ReturnType<typeof agentRecordRepo>;

/** Whether the session was canceled or has expired. */
export const isClosed = (record: AgentRecord, now: number): boolean =>
  record.canceledAt !== null || agentSessionExpiresAt(record) <= now;

/** The agent as the actor of its calls, and of checkouts that an alarm resumes. */
export const agentActor = (
  { platform, login }: Pick<AgentRecord, "platform" | "login">,
  sessionId: string,
): Actor => ({
  type: "session",
  sessionId,
  customerId: login?.customerId ?? null,
  loggedInAt: login?.loggedInAt ?? null,
  agentProfileUrl: platform.profileUrl,
});

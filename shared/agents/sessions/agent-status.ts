import { hour } from "../../kernel/index.ts";
import { type AgentProblem, type AgentStatus, agentSessionTtl } from "../agent-session.ts";

type SessionTimes = Readonly<{ createdAt: number; changedAt: number }>;

/** When a session that nobody changes any more ends. */
export const agentSessionExpiresAt = ({ createdAt, changedAt }: SessionTimes): number =>
  Math.min(
    changedAt + agentSessionTtl.idleHours * hour,
    createdAt + agentSessionTtl.totalHours * hour,
  );

/** How far the order of a session has come; null without an order. */
export type OrderProgress = "sold" | "awaits_confirmation" | "needs_buyer" | null;

type StatusFacts = Readonly<{
  order: OrderProgress;
  /** Whether the steps of a checkout run, or a crash interrupted them. */
  isRunning: boolean;
  /** Whether it was canceled or has expired. */
  isClosed: boolean;
  problems: readonly AgentProblem[];
}>;

/** The status follows from facts, so that it cannot contradict them. */
export function agentStatusOf({ order, isRunning, isClosed, problems }: StatusFacts): AgentStatus {
  if (order === "sold") return "completed";
  if (order === "awaits_confirmation" || isRunning) return "complete_in_progress";
  if (order === "needs_buyer") return "requires_escalation";
  if (isClosed) return "canceled";
  const blocking = problems.filter(({ isBlocking }) => isBlocking);
  if (blocking.some(({ severity }) => severity.startsWith("requires_"))) {
    return "requires_escalation";
  }
  return blocking.length > 0 ? "incomplete" : "ready_for_complete";
}

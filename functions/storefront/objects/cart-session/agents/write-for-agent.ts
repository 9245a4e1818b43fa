import type { AgentSession } from "../../../../../shared/agents/index.ts";
import type { Cart } from "../../../../../shared/cart/index.ts";
import { createMeter } from "../../../../../shared/database/index.ts";
import type { AgentObjectCall } from "../../../../runtime/objects/agent-session-object.ts";
import { captureOutcome, type Outcome, type Reply } from "../../../../runtime/objects/calls.ts";
import { isFinal } from "../../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../../runtime/runtime.ts";
import type { Session, SessionContext } from "../session.ts";
import { type AgentRecord, agentActor } from "./agent-record.ts";

/** The context of an agent's call, and the object's name. */
export function openCall(session: Session, call: AgentObjectCall) {
  const meter = createMeter();
  const sessionId = session.id();
  const own = session.storage.agents.find();
  const actor = agentActor(
    { platform: call.platform, login: call.buyer ?? own?.login ?? null },
    sessionId,
  );
  return { ctx: session.createContext({ ...call, meter, actor }), meter, sessionId, actor };
}

type AgentWrite = Readonly<{
  record: AgentRecord;
  /** Null when the cart stays as it is. */
  cart: Cart | null;
  /** Builds the response once the change is stored. */
  view: () => AgentSession;
}>;

/** Runs a write after the earlier ones, and stores it together with its response. */
export function writeForAgent(
  session: Session,
  call: AgentObjectCall,
  write: (ctx: SessionContext, sessionId: string) => Promise<AgentWrite>,
): Promise<Reply<AgentSession>> {
  return session.queue(async () => {
    session.storage.markUsed(runtime.now());
    const stored = await captureOutcome(async () => findStored(session, call));
    if (!stored.ok) return { outcome: stored, isReplay: false, d1: 0 };
    if (stored.value) return { outcome: stored.value, isReplay: true, d1: 0 };
    const { ctx, meter, sessionId } = openCall(session, call);
    const outcome = await captureOutcome(async () => {
      const { record, cart, view } = await write(ctx, sessionId);
      let response: AgentSession | undefined;
      session.storage.write((now) => {
        if (cart) session.storage.carts.save(cart);
        session.storage.agents.save(record);
        response = view();
        saveResponse(session, call, { ok: true, value: response }, now);
      });
      if (!response) throw new Error("A write of an agent has no response.");
      return response;
    });
    if (!outcome.ok) storeRefusal(session, call, outcome);
    return { outcome, isReplay: false, d1: meter.d1 };
  });
}

export const findStored = (
  { storage }: Session,
  { idempotent }: AgentObjectCall,
): Outcome<AgentSession> | null =>
  idempotent && storage.responses.find<AgentSession>(idempotent, runtime.now());

function saveResponse(
  { storage }: Session,
  { idempotent }: AgentObjectCall,
  outcome: Outcome<AgentSession>,
  now: number,
): void {
  if (idempotent) storage.responses.save(idempotent, outcome, now);
}

function storeRefusal(
  session: Session,
  call: AgentObjectCall,
  outcome: Outcome<AgentSession>,
): void {
  if (call.idempotent === null || !isFinal(outcome)) return;
  session.storage.write((now) => saveResponse(session, call, outcome, now));
  session.storage.expireIfEmpty();
}

import type { AgentObjectCall } from "../../../../runtime/objects/agent-session-object.ts";
import type { Session, SessionContext } from "../session.ts";

/** The context in which stock that the session's unpaid orders reserve counts as available. */
export const withReplaceableOrders = (
  ctx: SessionContext,
  session: Session,
  call: AgentObjectCall,
) => ({
  ...ctx,
  ...session.checkouts.replaceableOrders(() =>
    session.createCheckoutContext({ ...call, meter: ctx.meter, actor: ctx.actor }),
  ),
});

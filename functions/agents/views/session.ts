import {
  type AgentProblem,
  type AgentSession,
  agentCartId,
  agentCheckoutId,
} from "../../../shared/agents/index.ts";
import { iso } from "../../../shared/kernel/index.ts";
import type { AgentCall } from "../agent-call.ts";
import { type PaymentHandler, toPaymentHandlersView } from "../payment-handlers.ts";
import { viewBuyer } from "./buyer.ts";
import { rejectedCodes, viewDiscounts } from "./discounts.ts";
import { viewFulfilment } from "./fulfilment.ts";
import { type MessageView, viewMessages } from "./message.ts";
import { viewProblem } from "./problem.ts";
import { viewLineTotals, viewTotals } from "./totals.ts";
import { viewUcp } from "./ucp.ts";

type CartParts = Readonly<{
  /** Where the buyer continues without the agent. */
  continueUrl: string;
  messages?: readonly MessageView[];
}>;

/** A cart, which has estimated prices and no status. */
export const viewCart = (
  call: AgentCall,
  session: AgentSession,
  { continueUrl, messages = [] }: CartParts,
) => ({
  ucp: viewUcp(call, "dev.ucp.shopping.cart"),
  id: agentCartId(session.sessionId),
  ...viewContents(call, session, {
    messages,
    showsConsent: call.release !== "2026-04-08" && hasConsent(call),
  }),
  ...(session.status !== "canceled" && { continue_url: continueUrl }),
});

type CheckoutParts = CartParts & Readonly<{ handlers: readonly PaymentHandler[] }>;

/** A checkout with all that the buyer has to see before it is completed. */
export function viewCheckout(
  call: AgentCall,
  session: AgentSession,
  { handlers, continueUrl, messages = [] }: CheckoutParts,
) {
  const shown = withoutExtensions(call, session);
  const fulfilment = call.capabilities.has("dev.ucp.shopping.fulfillment")
    ? viewFulfilment(shown, call)
    : null;
  const { status, order } = shown;
  const isTerminal = status === "completed" || status === "canceled";
  return {
    ucp: {
      ...viewUcp(call, "dev.ucp.shopping.checkout"),
      payment_handlers: toPaymentHandlersView(acceptedHandlers(shown, handlers)),
    },
    id: agentCheckoutId(session.sessionId),
    status,
    ...viewContents(call, shown, { messages, showsConsent: hasConsent(call) }),
    ...(fulfilment && { fulfillment: fulfilment }),
    ...(!isTerminal && { continue_url: paymentUrlOf(shown) ?? continueUrl }),
    ...(order &&
      status === "completed" && {
        order: { id: order.id, label: order.number, permalink_url: orderUrl(call, order) },
      }),
  };
}

function viewContents(
  call: AgentCall,
  session: AgentSession,
  { messages, showsConsent }: Readonly<{ messages: readonly MessageView[]; showsConsent: boolean }>,
) {
  const { release, business, shopUrl } = call;
  const showsDiscounts = call.capabilities.has("dev.ucp.shopping.discount");
  return {
    currency: business.currency,
    line_items: session.cart.lines.map(({ id, configuration, quantity, snapshot }, index) => ({
      id,
      item: {
        id: configuration.variantId ?? snapshot.variantId ?? configuration.productId,
        title: snapshot.variantName ? `${snapshot.name} (${snapshot.variantName})` : snapshot.name,
        price: snapshot.unitPriceMinor,
      },
      quantity,
      totals: viewLineTotals(session, index),
    })),
    totals: viewTotals(session),
    ...(session.buyer && { buyer: viewBuyer(session.buyer, { release, showsConsent }) }),
    ...(showsDiscounts && { discounts: viewDiscounts(session) }),
    links: [{ type: "shop", url: shopUrl, title: business.name }],
    expires_at: iso(session.expiresAt),
    ...viewMessages([
      ...session.problems.map((problem) => viewProblem(problem, session)),
      ...(showsDiscounts ? rejectedCodes(session) : []),
      ...messages,
    ]),
  };
}

/**
 * The checkout for a platform without the fulfillment extension, which cannot choose a delivery: the
 * buyer has to, on the business's page.
 */
function withoutExtensions(call: AgentCall, session: AgentSession): AgentSession {
  if (call.capabilities.has("dev.ucp.shopping.fulfillment")) return session;
  const isHanded = ({ subject }: AgentProblem) =>
    subject.part === "fulfilment" || subject.part === "destination";
  if (!session.problems.some(isHanded)) return session;
  return {
    ...session,
    status: session.status === "incomplete" ? "requires_escalation" : session.status,
    problems: session.problems.map((problem) =>
      isHanded(problem)
        ? { ...problem, severity: "requires_buyer_input", subject: { part: "checkout" } }
        : problem,
    ),
  };
}

/** The chosen delivery may take some payment methods only. */
function acceptedHandlers(
  { cart }: AgentSession,
  handlers: readonly PaymentHandler[],
): readonly PaymentHandler[] {
  const accepted: readonly string[] | null = cart.delivery?.paymentMethods ?? null;
  return handlers.filter(({ instrumentType }) => accepted?.includes(instrumentType) ?? true);
}

/** The provider's page when the payment waits for the buyer there. */
const paymentUrlOf = ({ order }: AgentSession): string | null =>
  order?.nextAction.type === "redirect" ? order.nextAction.authorizationUrl : null;

const orderUrl = (
  { address }: AgentCall,
  { id, billToken }: NonNullable<AgentSession["order"]>,
): string => `${new URL(address).origin}/orders/${id}?token=${billToken}`;

const hasConsent = ({ capabilities }: AgentCall): boolean =>
  capabilities.has("dev.ucp.shopping.buyer_consent");

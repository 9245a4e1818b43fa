import { env } from "cloudflare:workers";
import type {
  AgentCallName,
  AgentObjectCall,
  AgentSessionInputs,
} from "../../functions/runtime/objects/agent-session-object.ts";
import type { Reply } from "../../functions/runtime/objects/calls.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import type {
  AgentCartRequest,
  AgentPayment,
  AgentSession,
  AgentStage,
} from "../../shared/agents/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { RefusalData } from "../../shared/kernel/index.ts";
import type { TestBusiness } from "../support/world.ts";

export const agentProfile = "https://agent.example/profile.json";

export const someBuyer = {
  firstName: "Ama",
  lastName: "Mensah",
  email: "ama@example.com",
  phone: null,
  consent: null,
};

export const accraAddress = {
  firstName: "Ama",
  lastName: "Mensah",
  phone: null,
  street: "1 Oxford Street",
  extended: null,
  city: "Accra",
  region: null,
  postalCode: null,
  country: "GH",
};

export const shippingTo = (selectedOptionId: string | null, address = accraAddress) => ({
  type: "shipping" as const,
  destinations: [{ id: "home", address }],
  selectedDestinationId: "home",
  selectedOptionId,
});

/** A request for one item of each id, or of the quantities. */
export const requestFor = (
  quantities: Readonly<Record<string, number>>,
  fields: Partial<AgentCartRequest> = {},
): AgentCartRequest => ({
  lines: Object.entries(quantities).map(([itemId, quantity]) => ({
    ...{ itemId, quantity },
    lineId: null,
  })),
  buyer: someBuyer,
  fulfilment: null,
  couponCodes: [],
  ...fields,
});

export const successToken: AgentPayment = {
  method: "card",
  handler: "sandbox",
  token: "success_token",
};
export const failToken: AgentPayment = { ...successToken, token: "fail_token" };

type CallFields = Partial<Omit<AgentObjectCall, "business" | "platform">> &
  Readonly<{ profileUrl?: string; stage?: AgentStage }>;

/** The session of an agent, called as the agents' Worker calls its object. */
export function createAgentSession(
  { business }: CreatedBusiness,
  sessionId = runtime.newId("ses"),
) {
  const object = () => env.CART_SESSION.getByName(sessionId);

  const run = <N extends AgentCallName>(
    name: N,
    input: AgentSessionInputs[N],
    { profileUrl = agentProfile, stage: _, ...fields }: CallFields = {},
  ): Promise<Reply<AgentSession>> =>
    object().runForAgent(
      name,
      {
        business,
        requestId: "test",
        network: "203.0.113.7",
        platform: { profileUrl, release: "2026-08-25" },
        addresses: { businessAddress: "https://shop.example/agents/tea", webhookUrl: null },
        buyer: null,
        idempotent: null,
        ...fields,
      },
      input,
    );

  return {
    sessionId,
    object,
    run,
    create: (request: AgentCartRequest, { stage = "checkout", ...call }: CallFields = {}) =>
      run("replaceAgentCart", { stage, mode: "create", request }, call),
    replace: (request: AgentCartRequest, { stage = "checkout", ...call }: CallFields = {}) =>
      run("replaceAgentCart", { stage, mode: "replace", request }, call),
    get: ({ stage = "checkout", ...call }: CallFields = {}) =>
      run("getAgentSession", { stage }, call),
    start: (call: CallFields = {}) => run("startAgentCheckout", null, call),
    cancel: ({ stage = "checkout", ...call }: CallFields = {}) =>
      run("cancelAgentSession", { stage }, call),
    complete: (payment: AgentPayment, call: CallFields = {}) =>
      run(
        "completeAgentCheckout",
        {
          payment,
          origin: "https://shop.example",
          returnUrl: null,
        },
        call,
      ),
    continue: (of: TestBusiness = { business }) => object().continueAgentSession(of.business),
  };
}

export type TestAgentSession = ReturnType<typeof createAgentSession>;

/** The session that a call responds with. */
export async function sessionOf(reply: Promise<Reply<AgentSession>>): Promise<AgentSession> {
  const { outcome } = await reply;
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.value;
}

/** The refusal that a call responds with. */
export async function refusalOf(reply: Promise<Reply<AgentSession>>): Promise<RefusalData> {
  const { outcome } = await reply;
  if (outcome.ok) throw new Error(`Not refused: ${outcome.value.status}`);
  return outcome.refusal;
}

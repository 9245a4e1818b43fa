import { notFound } from "../../../shared/kernel/index.ts";
import {
  cancelAgentSession,
  createAgentSession,
  getAgentSession,
  replaceAgentSession,
} from "../agent-session-calls.ts";
import { parseBody } from "../requests/parse-body.ts";
import { CartRequest } from "../requests/session-fields.ts";
import { toCartRequest } from "../requests/to-cart-request.ts";
import type { RunAgentOperation } from "./agent-operation.ts";
import { requireRecordId } from "./record-id.ts";
import { answerWithSession } from "./session-answer.ts";

const stage = "cart";

/** Creates a cart (docs/agents.md#carts). */
export const createCart: RunAgentOperation = async (call, { body }) => {
  const request = toCartRequest(call, parseBody(CartRequest, body));
  return answerWithSession(call, { stage, id: null, status: 201 }, () =>
    createAgentSession(call, { stage, request }),
  );
};

/** Shows a cart. One that was canceled is gone. */
export const getCart: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  return answerWithSession(call, { stage, id }, async () => {
    const session = await getAgentSession(call, id, stage);
    if (session.status === "canceled") throw notFound(stage);
    return session;
  });
};

/** Replaces a cart as a whole. */
export const updateCart: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  const request = toCartRequest(call, parseBody(CartRequest, input.body));
  return answerWithSession(call, { stage, id }, () =>
    replaceAgentSession(call, id, { stage, request }),
  );
};

/** Cancels a cart and shows what it was. */
export const cancelCart: RunAgentOperation = async (call, input) => {
  const id = requireRecordId(input);
  return answerWithSession(call, { stage, id }, () => cancelAgentSession(call, id, stage));
};

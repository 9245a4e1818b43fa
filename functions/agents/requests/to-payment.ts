import type { AgentPayment } from "../../../shared/agents/index.ts";
import type { PaymentHandler } from "../payment-handlers.ts";
import { ProtocolError } from "../protocol-error.ts";
import type { SentInstrument } from "./session-fields.ts";

/**
 * How the selected instrument pays.
 *
 * @throws ProtocolError for a handler that the checkout does not offer, or a credential of another
 * form. The message never holds what was sent.
 */
export function toPayment(
  instruments: readonly SentInstrument[],
  handlers: readonly PaymentHandler[],
): AgentPayment {
  const index = selectedIndexOf(instruments);
  const instrument = instruments[index];
  const path = `payment.instruments.${index}`;
  const handler = handlers.find(({ id }) => id === instrument?.handler_id);
  if (!instrument || !handler) {
    const ids = handlers.map(({ id }) => id).join(", ") || "none";
    throw invalid(`${path}.handler_id must be one of the checkout's payment handlers: ${ids}.`);
  }
  const { credential } = instrument;
  switch (handler.id) {
    case "sandbox":
    case "stripe": {
      if (!credential?.token) throw invalid(`${path}.credential.token is required.`);
      return { method: "card", handler: handler.id, token: credential.token };
    }
    case "mobile_money": {
      if (!credential?.phone_number || !credential.provider)
        throw invalid(`${path}.credential must have phone_number and provider.`);
      const { phone_number: phoneNumber, provider } = credential;
      return { method: "mobile_money", phoneNumber, provider };
    }
    case "cash_on_delivery":
      return { method: "cash" };
  }
}

/** The instrument that is marked as selected, or else the only one. */
function selectedIndexOf(instruments: readonly SentInstrument[]): number {
  const selected = instruments.flatMap(({ selected: isSelected }, index) =>
    isSelected ? [index] : [],
  );
  const [first] = selected;
  if (selected.length === 1 && first !== undefined) return first;
  if (selected.length === 0 && instruments.length === 1) return 0;
  throw invalid("payment.instruments must have exactly one selected instrument.");
}

const invalid = (content: string) => new ProtocolError("invalid_request", content);

import type { AgentProblem, AgentSession, ProblemCode } from "../../../shared/agents/index.ts";
import type { MessageView } from "./message.ts";

/** The names that the protocol has for problems, where they differ from those of the model. */
const codes: Partial<Record<ProblemCode, string>> = {
  missing_contact: "missing",
  missing_fulfilment: "missing",
  fulfilment_unavailable: "fulfillment_unavailable",
};

type Described = Pick<AgentSession, "cart" | "fulfilment" | "coupons">;

/** What stands between a record and its order, and what was changed on the way. */
export function viewProblem(
  { code, type, severity, subject, message }: AgentProblem,
  session: Described,
): MessageView {
  const path = pathOf(subject, session);
  return {
    type,
    code: codes[code] ?? code,
    content: message,
    ...(path !== null && { path }),
    ...(type === "error" && { severity }),
  };
}

/** The JSONPath of the part; null for the record as a whole. */
function pathOf(
  subject: AgentProblem["subject"],
  { cart, fulfilment, coupons }: Described,
): string | null {
  const indexed = (list: string, index: number, rest = ""): string =>
    index < 0 ? list : `${list}[${index}]${rest}`;
  switch (subject.part) {
    case "checkout":
      return null;
    case "line_items":
      return "$.line_items";
    case "buyer":
      return "$.buyer";
    case "payment":
      return "$.payment";
    case "fulfilment":
      return "$.fulfillment.methods[0]";
    case "line": {
      const index = cart.lines.findIndex(({ id }) => id === subject.lineId);
      return indexed("$.line_items", index, `.${subject.field}`);
    }
    case "destination": {
      const destinations = fulfilment?.destinations ?? [];
      const index = destinations.findIndex(({ id }) => id === subject.destinationId);
      return indexed("$.fulfillment.methods[0].destinations", index);
    }
    case "coupon": {
      const index = coupons.findIndex(({ code }) => code === subject.code);
      return indexed("$.discounts.codes", index);
    }
  }
}

import { normalizeEmail, normalizePhone } from "../../customers/index.ts";
import type { AgentBuyer, AgentProblem } from "../agent-session.ts";
import { invalidContact, missingContact } from "./problems.ts";

type Contact = Readonly<{ email: string | null; phone: string | null }>;

/** The buyer's contacts in the form of the shop; null for one that is missing or not valid. */
export const contactOf = (
  buyer: AgentBuyer | null,
  { defaultCountry }: Readonly<{ defaultCountry: string }>,
): Contact => ({
  email: buyer?.email ? normalizeEmail(buyer.email) : null,
  phone: buyer?.phone ? normalizePhone(buyer.phone, defaultCountry) : null,
});

/** Why the buyer cannot be reached; null when they can. */
export function contactProblem(
  buyer: AgentBuyer | null,
  business: Readonly<{ defaultCountry: string }>,
): AgentProblem | null {
  const { email, phone } = contactOf(buyer, business);
  if ((buyer?.email && email === null) || (buyer?.phone && phone === null)) return invalidContact;
  return email === null && phone === null ? missingContact : null;
}

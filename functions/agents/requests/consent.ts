import type { AgentBuyer } from "../../../shared/agents/index.ts";
import type { SentConsent } from "./session-fields.ts";

/** The names of the well-known purposes in 2026-04-08, by those of 2026-08-25. */
export const olderPurposes: ReadonlyMap<string, string> = new Map([
  ["dev.ucp.consent.analytics", "analytics"],
  ["dev.ucp.consent.preferences", "preferences"],
  ["dev.ucp.consent.marketing", "marketing"],
  ["dev.ucp.consent.sale_or_sharing", "sale_of_data"],
]);

const newerPurposes = new Map([...olderPurposes].map(([newer, older]) => [older, newer]));

/** What the buyer consented to, in the form of 2026-08-25, which both releases can be shown. */
export function toStoredConsent(sent: SentConsent): NonNullable<AgentBuyer["consent"]> {
  return Object.fromEntries(
    Object.entries(sent).map(([purpose, decision]) => {
      const name = newerPurposes.get(purpose) ?? purpose;
      if (typeof decision === "boolean") return [name, { granted: decision, source: "platform" }];
      const { segments, ...own } = decision;
      return [name, { ...own, ...(segments && { segments }) }];
    }),
  );
}

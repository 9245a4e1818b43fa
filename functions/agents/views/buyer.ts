import type { AgentBuyer, Release } from "../../../shared/agents/index.ts";
import { omitUndefined } from "../../../shared/kernel/index.ts";
import { olderPurposes } from "../requests/consent.ts";

/** The buyer as it was sent; consent in the form of the release. */
export const viewBuyer = (
  { firstName, lastName, email, phone, consent }: AgentBuyer,
  { release, showsConsent }: Readonly<{ release: Release; showsConsent: boolean }>,
) => ({
  ...omitUndefined({
    first_name: firstName ?? undefined,
    last_name: lastName ?? undefined,
    email: email ?? undefined,
    phone_number: phone ?? undefined,
  }),
  ...(consent &&
    showsConsent && {
      consent: release === "2026-04-08" ? viewOlderConsent(consent) : viewConsent(consent),
    }),
});

type Consent = NonNullable<AgentBuyer["consent"]>;

const descriptions: ReadonlyMap<string, string> = new Map([
  ["dev.ucp.consent.analytics", "Analytics and performance measurement"],
  ["dev.ucp.consent.preferences", "Remembering preferences"],
  ["dev.ucp.consent.marketing", "Marketing communications"],
  ["dev.ucp.consent.marketing.email", "Marketing by e-mail"],
  ["dev.ucp.consent.marketing.sms", "Marketing by text message"],
  ["dev.ucp.consent.sale_or_sharing", "Sale or sharing of personal data with third parties"],
]);

/** The older release has the well-known purposes alone, each as a flag. */
const viewOlderConsent = (consent: Consent) =>
  Object.fromEntries(
    Object.entries(consent).flatMap(([purpose, decision]) => {
      const name = olderPurposes.get(purpose);
      return name === undefined ? [] : [[name, Object(decision).granted === true]];
    }),
  );

const reverseDomainName = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/;

/** A purpose whose name is no reverse domain name has no place in the release's schema. */
const viewConsent = (consent: Consent): Record<string, object> =>
  Object.fromEntries(
    Object.entries(consent).flatMap(([purpose, decision]) => {
      if (!reverseDomainName.test(purpose)) return [];
      const { granted, source, segments } = Object(decision);
      const view = {
        granted: granted === true,
        source: source === "business" ? "business" : "platform",
        description: descriptions.get(purpose) ?? purpose,
        ...(segments && { segments: viewConsent(segments) }),
      };
      return [[purpose, view]];
    }),
  );

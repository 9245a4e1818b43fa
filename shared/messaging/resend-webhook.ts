import { Webhook } from "standardwebhooks";
import { z } from "zod";

const Tag = z.object({ name: z.string(), value: z.string() });
const Report = z.object({
  type: z.string(),
  data: z.object({
    tags: z.union([z.record(z.string(), z.string()), z.array(Tag)]).optional(),
    bounce: z.object({ type: z.string().optional() }).optional(),
  }),
});

/** What Resend reports of the address of a message. */
type ReportedAddress = Readonly<{
  reason: "bounced" | "complained";
  businessId: string;
  messageId: string;
}>;

/**
 * Reads a webhook of Resend, which signs as Svix does.
 *
 * @returns "forged" when the signature is wrong or old, and null for an event that marks no address.
 */
export function parseResendWebhook(
  body: string,
  headers: Headers,
  secret: string,
): ReportedAddress | "forged" | null {
  try {
    new Webhook(secret).verify(body, {
      "webhook-id": headers.get("svix-id") ?? "",
      "webhook-timestamp": headers.get("svix-timestamp") ?? "",
      "webhook-signature": headers.get("svix-signature") ?? "",
    });
  } catch {
    return "forged";
  }
  const report = Report.safeParse(JSON.parse(body));
  if (!report.success) return null;
  const { type, data } = report.data;
  const reason = reasonOf(type, data.bounce?.type);
  const tags = new Map(
    Array.isArray(data.tags)
      ? data.tags.map(({ name, value }) => [name, value])
      : Object.entries(data.tags ?? {}),
  );
  const [businessId, messageId] = [tags.get("business"), tags.get("message")];
  return reason && businessId && messageId ? { reason, businessId, messageId } : null;
}

/** A transient bounce may pass, so that it marks nothing. */
function reasonOf(type: string, bounceType = "Permanent"): ReportedAddress["reason"] | null {
  if (type === "email.complained") return "complained";
  return type === "email.bounced" && bounceType === "Permanent" ? "bounced" : null;
}

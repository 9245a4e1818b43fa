import { z } from "@hono/zod-openapi";
import type { AuditEntry } from "../../../../shared/database/index.ts";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";

export const AuditEntryView = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    /** Null for other actors, for people who left, and for callers who may not read members. */
    actor_email: z.string().nullable(),
    action: z.string(),
    entity: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("AuditEntry");
export type AuditEntryView = z.infer<typeof AuditEntryView>;

/**
 * Converts an audit entry for the API. The stored records `before` and `after` get the API's names
 * and formats of amounts and times.
 */
export const viewAuditEntry = (
  { id, at, actor, action, entity, before, after }: AuditEntry,
  { currency, emails }: { currency: string; emails: ReadonlyMap<string, string> },
): AuditEntryView => ({
  id,
  at: iso(at),
  actor,
  actor_email: emails.get(actor) ?? null,
  action,
  entity,
  before: toWireRecord(before, currency),
  after: toWireRecord(after, currency),
});

/** Fields whose keys the merchant chose. Their keys are not renamed. */
const freeFormFields: readonly string[] = ["properties", "metadata", "axisValues", "rates"];

/** @param currency the currency of amounts in records without a `currency` field. */
function toWireRecord(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((item) => toWireRecord(item, currency));
  if (!isRecord(value)) return value;
  const ownCurrency = typeof value.currency === "string" ? value.currency : currency;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      toWireName(key),
      freeFormFields.includes(key) ? inner : toWireValue(key, inner, ownCurrency),
    ]),
  );
}

function toWireValue(key: string, value: unknown, currency: string): unknown {
  if (typeof value !== "number") return toWireRecord(value, currency);
  if (key.endsWith("Minor")) return formatMoney(value, currency);
  return /(?:At|Time)$/.test(key) ? iso(value) : value;
}

const toWireName = (key: string): string =>
  key === "isFeatured"
    ? "featured"
    : key
        .replace(/Minor$/, "")
        .replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

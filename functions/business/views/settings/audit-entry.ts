import { z } from "@hono/zod-openapi";
import type { AuditEntry } from "../../../../shared/database/index.ts";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";

export const AuditEntryView = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    action: z.string(),
    entity: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("AuditEntry");
export type AuditEntryView = z.infer<typeof AuditEntryView>;

/** Before and after are the record as it is kept, its amounts and times as everywhere (completions.md 1, 5). */
export const viewAuditEntry = (
  { id, at, actor, action, entity, before, after }: AuditEntry,
  { currency }: { currency: string },
): AuditEntryView => ({
  id,
  at: iso(at),
  actor,
  action,
  entity,
  before: published(before, currency),
  after: published(after, currency),
});

/** What the merchant named: it stays to the letter. */
const merchantsOwn: readonly string[] = ["properties", "metadata", "axisValues", "rates"];

/** @param currency of the amounts, unless the record says its own. */
function published(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((one) => published(one, currency));
  if (!isRecord(value)) return value;
  const own = typeof value.currency === "string" ? value.currency : currency;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      nameOf(key),
      merchantsOwn.includes(key) ? inner : textOf(key, inner, own),
    ]),
  );
}

function textOf(key: string, value: unknown, currency: string): unknown {
  if (typeof value !== "number") return published(value, currency);
  if (key.endsWith("Minor")) return formatMoney(value, currency);
  return /(?:At|Time)$/.test(key) ? iso(value) : value;
}

const nameOf = (key: string): string =>
  key === "isFeatured"
    ? "featured"
    : key
        .replace(/Minor$/, "")
        .replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, (letter) => `_${letter.toLowerCase()}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

import { z } from "zod";
import { isSafeLink } from "../../../kernel/index.ts";
import type { FileColumn } from "../../format/file-tables-query.ts";
import { documentSchemas } from "./document-schemas.ts";
import { currencyCode, instant, percent, text, timezoneName, webAddress } from "./values.ts";

/** A TypeID: an id of a record, which gets a new one. */
const idPattern = /^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const id = z.string().regex(idPattern, "must be an id of a record");
/** The movements of an order's stock have ids that consist of those of order, item and location. */
const movementId = z
  .string()
  .max(200)
  .refine(
    (text) => /^\w+(?::[a-z]+:\w+:\w+)?$/.test(text) && idsIn(text).length % 2 === 1,
    "must be an id of a movement",
  );

/** The ids that a text is or consists of. */
export const idsIn = (text: string): readonly string[] =>
  text.split(":").filter((part) => idPattern.test(part));

/** Columns that end like those of records' ids and hold words of others. */
const foreignWords: readonly string[] = ["taxonomy_id"];

const orderStatus = z.enum([
  ...(["pending", "confirmed", "preparing", "ready", "completed", "cancelled"] as const),
]);

/** Columns of text that no constraint of the database limits to the values that the code knows. */
const textSchemas: Readonly<Record<string, z.ZodType>> = {
  "order_history.status": orderStatus,
  "order_history.payment_status": z.enum([
    ...(["pending", "requires_action", "processing", "captured"] as const),
    ...(["failed", "cancelled", "refunded", "partially_refunded"] as const),
  ]),
  "stock_movements.id": movementId,
  "orders.order_number": z.string().min(1).max(60),
  "orders.payment_method": z.string().regex(/^[a-z_]{1,40}$/),
  "payments.method": z.string().regex(/^[a-z_]{1,40}$/),
  "payments.provider": z.string().regex(/^[a-z_]{1,40}$/),
  "payments.reference": z.string().min(1).max(200),
  "shipments.tracking_url": text.refine(isSafeLink, "must be an https address"),
  "message_settings.sms": z.enum(["always", "without_email", "never"]),
  "message_settings.locale": z.string().regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/),
  "message_templates.name": z.string().regex(/^[a-z_]+\.[a-z_]+$/),
  "suppressed_recipients.channel": z.enum(["email", "sms"]),
  "suppressed_recipients.reason": z.enum(["bounced", "unsubscribed"]),
  "subscriptions.cancelled_by": z.enum(["customer", "business"]),
};

const textByName: Readonly<Record<string, z.ZodType>> = {
  currency: currencyCode,
  timezone: timezoneName,
  percent,
  rate_percent: percent,
  image_url: webAddress,
};

function textSchemaOf(table: string, name: string): z.ZodType {
  const own = textSchemas[`${table}.${name}`] ?? textByName[name];
  if (own) return own;
  const isId = name === "id" || (name.endsWith("_id") && !foreignWords.includes(name));
  return isId ? id : text;
}

const timeName = /(?:^|_)(?:at|until|time)$|^period_(?:start|end)$|_(?:since|from)$/;

/** The schema of a column's value in a file. @throws Error for a JSON column without a schema. */
export function columnSchemaOf(table: string, { name, type, isNullable }: FileColumn): z.ZodType {
  const schema = valueSchemaOf(table, name, type);
  return isNullable ? schema.nullable() : schema;
}

function valueSchemaOf(table: string, name: string, type: FileColumn["type"]): z.ZodType {
  switch (type) {
    case "flag":
      return z.boolean();
    case "integer":
      return timeName.test(name) ? instant : z.number().int();
    case "text":
      return textSchemaOf(table, name);
    case "document": {
      const schema = documentSchemas[table]?.[name];
      if (!schema) throw new Error(`${table}.${name} has no schema.`);
      return schema;
    }
  }
}

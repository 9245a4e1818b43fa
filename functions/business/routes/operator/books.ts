import { z } from "@hono/zod-openapi";
import {
  type BooksCursor,
  type BooksFinding,
  type BooksScope,
  checkBooks,
  checkNames,
  isPosition,
} from "../../../../shared/books/index.ts";
import { invalid } from "../../../../shared/kernel/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id, text } from "../../../wire/fields.ts";
import { invalidCursor, parsePosition } from "../../../wire/paging.ts";
import { createMoveContext } from "../../context.ts";

const BooksBody = z
  .object({
    business_id: id().optional(),
    shard: text(100).min(1).optional(),
    cursor: z.string().min(1).max(1_000).nullable().optional(),
  })
  .refine(({ business_id, shard }) => (business_id === undefined) !== (shard === undefined), {
    path: ["business_id"],
    message: "or shard is required, and not both",
  });

const BooksView = z
  .object({
    findings: z.array(
      z.object({
        check: z.enum(checkNames),
        business_id: z.string(),
        record: z.string(),
        expected: z.string().nullable(),
        found: z.string().nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("BooksReport");

const viewFinding = ({ businessId, ...finding }: BooksFinding) => ({
  business_id: businessId,
  ...finding,
});

/** Checks the books (docs/contract/operator.md#books). */
export const books = createRoutes().openapi(
  route("post", "/v1/operator/books", {
    operationId: "checkBooks",
    tag: "Operators",
    summary: "Check the books of a business or a shard",
    description: "Repeat the request with next_cursor until that is null.",
    access: operator,
    body: requireJson(BooksBody),
    response: BooksView,
  }),
  async (c) => {
    const { business_id, shard, cursor } = c.req.valid("json");
    const ctx = createMoveContext(c);
    if (shard !== undefined && !ctx.shards.includes(shard))
      throw invalid("shard", `must be one of ${ctx.shards.join(", ")}`);
    const scope: BooksScope =
      business_id === undefined
        ? { type: "shard", shard: shard ?? "" }
        : { type: "business", businessId: business_id };
    const { findings, next } = await checkBooks(ctx, scope, parseCursor(cursor ?? null, scope));
    const nextCursor = next && btoa(encodeURIComponent(JSON.stringify(next)));
    return c.json(envelope({ findings: findings.map(viewFinding), next_cursor: nextCursor }), 200);
  },
);

const Cursor: z.ZodType<BooksCursor> = z.object({
  businessId: z.string().max(128),
  position: z
    .object({
      ledger: z.number().int().min(0),
      after: z.tuple([z.string().max(500), z.string().max(500)]).nullable(),
    })
    .refine(isPosition),
});

/** @throws Refusal VALIDATION_ERROR for a cursor of another business, or none of this call. */
function parseCursor(text: string | null, scope: BooksScope): BooksCursor | null {
  if (text === null) return null;
  const position = parsePosition(text) ?? "";
  let parsed: ReturnType<typeof Cursor.safeParse>;
  try {
    parsed = Cursor.safeParse(JSON.parse(decodeURIComponent(position)));
  } catch {
    throw invalidCursor();
  }
  const isOfOther = scope.type === "business" && parsed.data?.businessId !== scope.businessId;
  if (!parsed.success || isOfOther) throw invalidCursor();
  return parsed.data;
}

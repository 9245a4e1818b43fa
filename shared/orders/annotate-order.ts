import { eq, type SQL, sql } from "drizzle-orm";
import { type Context, commit, nextUpdatedAt } from "../database/index.ts";
import { addNote, listNotes, type Note } from "../notes/index.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderIdQuery, orderRepo } from "./repo.ts";
import { orders } from "./tables.ts";

type Reader = Pick<Context, "db" | "business">;

/**
 * Replaces the merchant's tags of an order. The order's version stays, because tags do not affect
 * its other changes.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function tagOrder(
  ctx: Context,
  idOrNumber: string,
  requestedTags: readonly string[],
): Promise<OrderDetails> {
  const details = await orderRepo(ctx).getByIdOrNumber(idOrNumber);
  const { order } = details;
  const tags = [...new Set(requestedTags)];
  if (JSON.stringify(tags) === JSON.stringify(order.tags)) return details;
  const updatedAt = nextUpdatedAt(ctx.now(), order);
  await commit(ctx, {
    writes: [
      ctx.db
        .update(orders)
        .set({ tags, updatedAt: sql`max(${updatedAt}, ${orders.updatedAt})` })
        .where(eq(orders.id, order.id)),
    ],
    audit: [
      {
        action: "order.updated",
        entity: order.id,
        before: { tags: order.tags },
        after: { tags },
      },
    ],
  });
  return { ...details, order: { ...order, tags, updatedAt } };
}

/** @throws Refusal NOT_FOUND. */
export const addOrderNote = (ctx: Context, idOrNumber: string, text: string): Promise<Note> =>
  addNote(ctx, noteSubject(ctx, idOrNumber), text);

/** Lists an order's notes, newest first. @throws Refusal NOT_FOUND. */
export const listOrderNotes = (
  ctx: Reader,
  idOrNumber: string,
  page: Parameters<typeof listNotes>[2],
): Promise<Note[]> => listNotes(ctx, noteSubject(ctx, idOrNumber), page);

const noteSubject = (
  { business }: Reader,
  idOrNumber: string,
): { noun: "order"; idQuery: SQL } => ({
  noun: "order",
  idQuery: orderIdQuery(business, idOrNumber),
});

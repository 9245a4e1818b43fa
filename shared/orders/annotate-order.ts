import { type Context, commit, nextUpdatedAt } from "../database/index.ts";
import { addNote, listNotes, type Note, type NoteSubject } from "../notes/index.ts";
import { orderIdQuery, replaceOrderTags } from "./annotation-repo.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderRepo } from "./repo.ts";

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
    writes: [replaceOrderTags(ctx, { id: order.id, tags, updatedAt })],
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
  ctx: Pick<Context, "db" | "business">,
  idOrNumber: string,
  page: Parameters<typeof listNotes>[2],
): Promise<Note[]> => listNotes(ctx, noteSubject(ctx, idOrNumber), page);

const noteSubject = ({ business }: Pick<Context, "business">, idOrNumber: string): NoteSubject => ({
  noun: "order",
  idQuery: orderIdQuery(business, idOrNumber),
});

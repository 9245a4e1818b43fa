import type { Context } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { isExpired, type Quote } from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/** @throws Refusal NOT_FOUND for a quote that is unknown or has expired (completions.md 4). */
export async function readQuote(
  ctx: Pick<Context, "db" | "business" | "now">,
  id: string,
): Promise<Quote> {
  const quote = await quoteRepo(ctx).find(id);
  if (!quote || isExpired(quote, ctx.now())) throw notFound("quote");
  return quote;
}

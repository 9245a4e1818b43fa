import { defaultLocation, type ShopContext } from "../businesses/index.ts";
import {
  idsOfSlugs,
  type RejectedRow,
  raiseVersion,
  refreshBundlePrices,
  retryRaces,
  type StoredChange,
  type StoredProduct,
  storedFrom,
  storedProductWrites,
  storedQueries,
} from "../catalogue/index.ts";
import { commit } from "../database/index.ts";
import { levelsAtQuery, setLevels } from "../inventory/index.ts";
import { conflict, type FieldIssue, Refusal } from "../kernel/index.ts";
import { type Counted, changedLevels, type KnownLevel } from "./counted-items.ts";
import type { Outcome } from "./import-report.ts";
import { type Draft, mergedProduct } from "./merge-product.ts";

/** What becomes of one product of the file. */
export type Planned =
  | (StoredChange & Readonly<{ kind: "product"; outcome: Outcome; levels: readonly Counted[] }>)
  | RejectedRow;

/**
 * Brings some of a file's products in: one read, and one batch if anything differs. When a
 * concurrent change gets between, both are done again.
 */
export function importChunk(
  ctx: ShopContext,
  drafts: readonly Draft[],
  { importId, isDryRun }: { importId: string; isDryRun: boolean },
): Promise<readonly Planned[]> {
  return retryRaces(async () => {
    const planned = plan(ctx, drafts, await findStored(ctx, drafts));
    if (!isDryRun) await write(ctx, planned, importId);
    return planned;
  });
}

type Stored = Readonly<{
  bySlug: ReadonlyMap<string, StoredProduct>;
  levels: ReadonlyMap<string, KnownLevel>;
}>;

async function findStored(ctx: ShopContext, drafts: readonly Draft[]): Promise<Stored> {
  const productIds = idsOfSlugs(
    ctx,
    drafts.map(({ product }) => product.handle),
  );
  const locationId = defaultLocation(ctx.business).id;
  const [rows, variants, levels] = await ctx.db.batch([
    ...storedQueries(ctx, productIds),
    levelsAtQuery(ctx, { productIds, locationId }),
  ]);
  return {
    bySlug: new Map(storedFrom(rows, variants).map((product) => [product.slug, product])),
    levels: new Map(levels.map((level) => [level.itemId, level])),
  };
}

/** New products take their ids first: ids of one millisecond keep the order of the file. */
function plan(ctx: ShopContext, drafts: readonly Draft[], { bySlug, levels }: Stored): Planned[] {
  const known = drafts.map(({ product }) => bySlug.get(product.handle) ?? null);
  const ids = known.map((before) => before?.id ?? ctx.newId("prod"));
  const merging = { now: ctx.now(), newId: ctx.newId, currency: ctx.business.currency };
  return drafts.map((draft, index): Planned => {
    const before = known[index] ?? null;
    try {
      const after = mergedProduct(draft, before, { ...merging, productId: ids[index] ?? "" });
      const changed = changedLevels(draft.product, after, levels);
      const isUnchanged = after === before && changed.length === 0;
      const outcome = before === null ? "created" : isUnchanged ? "unchanged" : "updated";
      return { kind: "product", outcome, before, after, levels: changed };
    } catch (error) {
      return { kind: "rejected", row: draft.product.firstRow, ...issueOf(error) };
    }
  });
}

async function write(
  ctx: ShopContext,
  planned: readonly Planned[],
  importId: string,
): Promise<void> {
  const changed = planned
    .filter((each) => each.kind === "product")
    .filter(({ outcome }) => outcome !== "unchanged");
  if (changed.length === 0) return;
  const products = changed.filter(({ before, after }) => after !== before);
  const locationId = defaultLocation(ctx.business).id;
  const levels = changed.flatMap((each) => each.levels).map((level) => ({ ...level, locationId }));
  const named = (wanted: Outcome) =>
    changed
      .filter(({ outcome }) => outcome === wanted)
      .map(({ after: { id, slug } }) => ({ id, slug }));
  await commit(ctx, {
    writes: [
      ...storedProductWrites(ctx, products),
      ...setLevels(ctx, levels),
      ...(products.length > 0 ? [bundlePricesOf(ctx, products), raiseVersion(ctx)] : []),
    ],
    audit: [
      {
        action: "products.imported",
        entity: importId,
        after: { created: named("created"), updated: named("updated") },
      },
    ],
    refusals: {
      "products.slug": meanwhile,
      "products.updated_at": meanwhile,
      "product_variants.product_id": meanwhile,
      stock_not_oversold: meanwhile,
    },
  });
  // Low stock stands in the outbox if there is any: a nudge too many does no harm.
  if (levels.length > 0) ctx.announce();
}

const bundlePricesOf = (ctx: ShopContext, products: readonly StoredChange[]) =>
  refreshBundlePrices(
    ctx,
    products.map(({ after }) => after.id),
  );

const meanwhile = () =>
  conflict("A product changed while it was imported; send the file again.", { retryable: true });

function issueOf(error: unknown): FieldIssue {
  const issue = error instanceof Refusal ? error.context?.issues?.[0] : undefined;
  if (!issue) throw error;
  return issue;
}

import { type Companion, companionOf, needed, type VersionMemory } from "../catalogue/index.ts";
import type { Context } from "../database/index.ts";
import { freshCache } from "../kernel/index.ts";
import { codeKeyOf, type LiveDeal } from "./deal.ts";
import { liveDealFromRow, offerRepo } from "./offer-repo.ts";

type Scope = Pick<Context, "db" | "business" | "now">;

type Rows = Awaited<ReturnType<ReturnType<typeof offerRepo>["findOffer"]>>["rows"];

export type Offer = Readonly<{ automatic: readonly LiveDeal[]; coupon: LiveDeal | null }>;

/** What may be deducted from carts, by business, version and code; each for at most 5 s. */
export function offerCache(versions: VersionMemory) {
  const automatic = freshCache<readonly LiveDeal[]>(1_000);
  /** In a list of one, since that a code is none of the business is remembered as well. */
  const coupons = freshCache<readonly LiveDeal[]>(5_000);

  function recall({ business, now }: Scope, code: string | null): Offer | undefined {
    const at = now();
    const version = versions.peek(business.id, at);
    const scope = scopeOf(business, version ?? 0);
    const known = version === undefined ? undefined : automatic.peek(scope, at);
    const found = code === null ? [] : coupons.peek(scope + codeKeyOf(code), at);
    return known && found && { automatic: known, coupon: found[0] ?? null };
  }

  function remember(
    { business }: Scope,
    code: string | null,
    { at, version, rows }: { at: number; version: number; rows: Rows },
  ): Offer {
    const scope = scopeOf(business, version);
    const deals = rows.map(liveDealFromRow);
    const offer = {
      automatic: deals.filter((deal) => deal.code === null),
      coupon: deals.find((deal) => deal.code !== null) ?? null,
    };
    automatic.put(scope, at, offer.automatic);
    if (code !== null) coupons.put(scope + codeKeyOf(code), at, offer.coupon ? [offer.coupon] : []);
    return offer;
  }

  return {
    /** No round trip while it is remembered, one otherwise. */
    async find(scope: Scope, code: string | null): Promise<Offer> {
      const known = recall(scope, code);
      if (known) return known;
      const at = scope.now();
      const { version, rows } = await offerRepo(scope).findOffer(code, at);
      versions.learn(scope.business.id, at, version);
      return remember(scope, code, { at, version, rows });
    },

    /** What is not remembered, to go along with another read of the catalogue; `find` would ask for it next. */
    alongside(scope: Scope, code: string | null): readonly Companion[] {
      if (recall(scope, code)) return [];
      const at = scope.now();
      const query = offerRepo(scope).offerQuery(code, at);
      const taken = companionOf(query, (rows, version) =>
        remember(scope, code, { at, version, rows }),
      );
      return [needed(taken)];
    },
  };
}

const scopeOf = ({ id }: { id: string }, version: number) => `${id} ${version} `;

import type { CatalogueReader, CatalogueVersionCache } from "../catalogue/index.ts";
import { createTtlCache, type Runtime } from "../kernel/index.ts";
import { usageRejection } from "../pricing/index.ts";
import type { Deal } from "./deal.ts";
import { type DealGroup, offerRepo } from "./offer-repo.ts";

const maxEntries = 5_000;

type GroupDealContext = CatalogueReader & Pick<Runtime, "now">;

/** Null stands for a group that does not exist. */
type GroupDeals = Readonly<{ deals: readonly Deal[] | null }>;

/**
 * Caches the deals of categories and collections by business and catalogue version, at most 5 s.
 * Deals that start in that time are cached too, so each read decides which of them have begun.
 */
export function createGroupDealCache(versions: CatalogueVersionCache) {
  const cache = createTtlCache<GroupDeals>(maxEntries);

  async function load({ now, ...reader }: GroupDealContext, group: DealGroup): Promise<GroupDeals> {
    const at = now();
    const { version, deals } = await offerRepo(reader).listForGroup(group, at);
    versions.remember(reader.business.id, at, version);
    const loaded = { deals };
    cache.put(cacheKey(reader, version, group), at, loaded);
    return loaded;
  }

  return {
    /** The group's deals that are usable now; null for an unknown group. At most one round trip. */
    async find(ctx: GroupDealContext, group: DealGroup): Promise<readonly Deal[] | null> {
      const at = ctx.now();
      const version = versions.peek(ctx.business.id, at);
      const cached =
        version === undefined ? undefined : cache.peek(cacheKey(ctx, version, group), at);
      const { deals } = cached ?? (await load(ctx, group));
      return deals === null ? null : deals.filter((deal) => usageRejection(deal, at) === null);
    },
  };
}

const cacheKey = ({ business }: CatalogueReader, version: number, { scope, id }: DealGroup) =>
  `${business.id} ${version} ${scope} ${id}`;

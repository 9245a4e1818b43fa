import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "./catalogue-version-repo.ts";
import { matchesSearch } from "./listing/search-query.ts";
import { products, productVariants } from "./tables.ts";

const maxWords = 5;

/**
 * A query of the ids of products and variants that a search of the stock finds. Their product has all
 * words, or its first words while the variant's name has the others; or the SKU begins with the text.
 */
export function stockItemsOfSearch(business: BusinessRef, search: string): SQL {
  const text = search.trim();
  const words = text.split(/\s+/).slice(0, maxWords);
  const splits = words.slice(1).map((_, index) => ({
    ofProduct: words.slice(0, index + 1).join(" "),
    ofVariant: words.slice(index + 1),
  }));
  return sql.join(
    [
      sql`select ${products.id} from ${products} where ${matchesSearch(business, text)}`,
      variantsOf(business, text, sql`true`),
      ...splits.map(({ ofProduct, ofVariant }) =>
        variantsOf(business, ofProduct, sql.join(ofVariant.map(hasWord), sql` and `)),
      ),
      // The next text after all that begin with this one ends the range of the index.
      sql`select variant.id from ${productVariants} as variant indexed by product_variants_by_sku
        where variant.business_id = ${business.id} and variant.archived_at is null
          and variant.sku >= ${text} collate nocase
          and variant.sku < ${`${text}\u{10ffff}`} collate nocase`,
    ],
    sql` union `,
  );
}

const variantsOf = (business: BusinessRef, search: string, condition: SQL): SQL =>
  sql`select variant.id from ${productVariants} as variant
    where variant.product_id in (
        select ${products.id} from ${products} where ${matchesSearch(business, search)})
      and variant.archived_at is null and ${condition}`;

/** Whether a word of the variant's name begins with the text. */
const hasWord = (word: string): SQL =>
  sql`' ' || variant.name like ${`% ${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`;

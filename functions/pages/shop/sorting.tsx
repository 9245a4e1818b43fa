import type { PageContext } from "../env.ts";

const sorts = {
  newest: { name: "Newest", query: {} },
  popular: { name: "Popular", query: { sort_by: "popularity" } },
  cheapest: { name: "Price, low to high", query: { sort_by: "price", sort_order: "asc" } },
  dearest: { name: "Price, high to low", query: { sort_by: "price", sort_order: "desc" } },
  name: { name: "Name", query: { sort_by: "name" } },
} as const;

export type SortName = keyof typeof sorts;

const isSort = (text: string | undefined): text is SortName =>
  text !== undefined && Object.hasOwn(sorts, text);

/** The order that an address names; the newest products come first without one. */
export function sortOf(text: string | undefined) {
  const value = isSort(text) ? text : "newest";
  return { value, query: sorts[value].query, isUsual: value === "newest" };
}

/** Where a page of a list begins, as the link to it says. */
export const readCursor = (c: PageContext): string | undefined =>
  c.req.query("after")?.slice(0, 1_000) || undefined;

type SortFormProps = Readonly<{
  action: string;
  sort: SortName;
  /** Other parts of the address, which stay. */
  filters?: Readonly<Record<string, string>>;
}>;

export const SortForm = ({ action, sort, filters = {} }: SortFormProps) => (
  <form class="sort" action={action}>
    {Object.entries(filters).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <label for="sort">Sort by</label>
    <select id="sort" name="sort">
      {Object.entries(sorts).map(([value, { name }]) => (
        <option value={value} selected={value === sort}>
          {name}
        </option>
      ))}
    </select>
    <button type="submit" class="plain">
      Sort
    </button>
  </form>
);

type MoreLinkProps = Readonly<{
  path: string;
  cursor: string | null;
  sort: SortName;
  filters?: Readonly<Record<string, string>>;
}>;

/** The link to the next page of a list; nothing on the last one. */
export const MoreLink = ({ path, cursor, sort, filters = {} }: MoreLinkProps) => {
  if (cursor === null) return null;
  const order = sort === "newest" ? {} : { sort };
  const query = new URLSearchParams({ ...filters, ...order, after: cursor });
  return (
    <p class="more">
      <a class="button plain" href={`${path}?${query}`} rel="next">
        Show more
      </a>
    </p>
  );
};

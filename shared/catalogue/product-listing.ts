// Lists of active products: filters, sorting, pages and cursors (listing/README.md).

export {
  decodeCursor,
  defaultScanLimit,
  encodeCursor,
  type ListIdentity,
  maxPageDepth,
  noFilters,
  type PageStart,
  type ProductFilters,
  type ProductListQuery,
  productSortFor,
  productSortKeys,
} from "./listing/product-list.ts";

export {
  listCategoryProducts,
  listProducts,
  type OffsetPage,
  type ProductListPage,
} from "./listing/product-list-query.ts";

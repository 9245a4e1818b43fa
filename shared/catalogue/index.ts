export * from "./category.ts";
export * from "./product.ts";
export * from "./product-repo.ts";

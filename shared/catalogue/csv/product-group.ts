import { type FieldIssue, invalid, Refusal } from "../../kernel/index.ts";
import { optionValue } from "./columns.ts";
import type { CsvImage, ImportedProduct, ReadProduct, RejectedRow } from "./imported-product.ts";
import { type ProductFields, readImage, readProductFields } from "./read-product-fields.ts";
import type { Row } from "./read-rows.ts";
import { hasVariant, type PricedVariant, readVariant } from "./read-variant.ts";

/** Shopify's own bounds are 2,048 variants and 250 images. */
const maxRowsPerProduct = 2_500;

export const rejected = (row: number, { field, message }: FieldIssue): RejectedRow => ({
  kind: "rejected",
  row,
  field,
  message,
});

/** The rows of one product, from its first on: what can go in, while the bad ones are reported. */
export class ProductGroup {
  readonly #firstRow: number;
  readonly #currency: string;
  readonly #images: CsvImage[] = [];
  readonly #variants: PricedVariant[] = [];
  readonly #combinations = new Set<string>();
  readonly #skus = new Set<string>();
  #fields: ProductFields | null = null;
  #rows = 0;
  #firstRowIsReported = false;

  constructor(firstRow: number, currency: string) {
    this.#firstRow = firstRow;
    this.#currency = currency;
  }

  /** Takes the next row in; returns what is to be reported of it. */
  add(row: Row): RejectedRow[] {
    this.#rows += 1;
    try {
      this.#take(row);
      return [];
    } catch (error) {
      if (row.line === this.#firstRow) this.#firstRowIsReported = true;
      return [rejected(row.line, issueOf(error))];
    }
  }

  /** The product, or why it stays out unless its first row has said so already. */
  finish(): ReadProduct[] {
    const [first] = this.#variants;
    if (this.#fields && first)
      return [{ kind: "product", draft: this.#draft(this.#fields, first) }];
    if (this.#firstRowIsReported) return [];
    const message = "no variant of the product could be read";
    return [rejected(this.#firstRow, { field: "Variant Price", message })];
  }

  #take(row: Row): void {
    if (row.problem) throw invalid(row.problem.field, row.problem.message);
    if (this.#rows > maxRowsPerProduct) {
      throw invalid("Handle", `a product may have ${maxRowsPerProduct} rows`);
    }
    if (this.#rows === 1) this.#takeFirst(row);
    else if (this.#fields) this.#takeFurther(row, this.#fields);
  }

  /** The image of the first row belongs to the product: it stays when the row's variant is bad. */
  #takeFirst(row: Row): void {
    const fields = readProductFields(row);
    this.#fields = fields;
    if (fields.image) this.#images.push(fields.image);
    if (hasVariant(row)) this.#addVariant(this.#readVariant(row, fields, true));
  }

  #takeFurther(row: Row, fields: ProductFields): void {
    const image = readImage(row, this.#images.length + 1);
    if (!hasVariant(row) && !image) throw invalid("", "the row has neither a variant nor an image");
    if (hasVariant(row)) this.#addVariant(this.#readVariant(row, fields, false));
    if (image) this.#images.push(image);
  }

  #readVariant(row: Row, { axes }: ProductFields, isFirstRow: boolean): PricedVariant {
    return readVariant(row, { axes, currency: this.#currency, isFirstRow });
  }

  #addVariant(variant: PricedVariant): void {
    const combination = JSON.stringify(Object.values(variant.axisValues));
    if (this.#combinations.has(combination)) {
      throw invalid(optionValue(1), `the product has the variant ${variant.name} already`);
    }
    if (variant.sku !== null && this.#skus.has(variant.sku)) {
      throw invalid("Variant SKU", `the product has a variant ${variant.sku} already`);
    }
    this.#combinations.add(combination);
    if (variant.sku !== null) this.#skus.add(variant.sku);
    this.#variants.push(variant);
  }

  #draft({ axes, image: _, ...fields }: ProductFields, first: PricedVariant): ImportedProduct {
    const defaultPriceMinor = first.priceMinor;
    const valuesOf = (name: string) => [
      ...new Set(this.#variants.flatMap(({ axisValues }) => axisValues[name] ?? [])),
    ];
    return {
      ...fields,
      images: this.#images.toSorted((a, b) => a.position - b.position),
      axes: axes.map(({ name, label }) => ({ name, label, values: valuesOf(name) })),
      defaultPriceMinor,
      variants: this.#variants.map(({ priceMinor, ...variant }) => ({
        ...variant,
        priceAdjustmentMinor: priceMinor - defaultPriceMinor,
      })),
      firstRow: this.#firstRow,
    };
  }
}

function issueOf(error: unknown): FieldIssue {
  const issue = error instanceof Refusal ? error.context?.issues?.[0] : undefined;
  if (!issue) throw error;
  return issue;
}

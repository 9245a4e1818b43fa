import { invalid } from "../../kernel/index.ts";
import { optionValue } from "./columns.ts";
import type { CsvImage, CsvResult, ImportedProduct } from "./csv-product.ts";
import { type ProductFields, readImage, readProductFields } from "./read-product-fields.ts";
import type { CsvRow } from "./read-rows.ts";
import { hasVariant, type PricedVariant, readVariant } from "./read-variant.ts";
import { issueOf, type RejectedRow, rejectedRow } from "./rejected-row.ts";

/** Enough for Shopify's limits of 2,048 variants and 250 images. */
const maxRowsPerProduct = 2_500;

/**
 * Collects the rows of one product. Valid rows become variants and images; invalid rows are
 * reported.
 */
export class ProductRows {
  readonly #firstRow: number;
  readonly #currency: string;
  readonly #images: CsvImage[] = [];
  readonly #variants: PricedVariant[] = [];
  readonly #combinations = new Set<string>();
  readonly #skus = new Set<string>();
  #fields: ProductFields | null = null;
  #rowCount = 0;
  #isFirstRowReported = false;

  constructor(firstRow: number, currency: string) {
    this.#firstRow = firstRow;
    this.#currency = currency;
  }

  /** Adds the next row. Returns the rejection of the row, or nothing when the row is valid. */
  add(row: CsvRow): RejectedRow[] {
    this.#rowCount += 1;
    try {
      this.#readRow(row);
      return [];
    } catch (error) {
      if (row.line === this.#firstRow) this.#isFirstRowReported = true;
      return [rejectedRow(row.line, issueOf(error))];
    }
  }

  /**
   * Returns the product. If it has no valid variant, returns the reason, or nothing when its first
   * row was already reported.
   */
  toResults(): CsvResult[] {
    const [first] = this.#variants;
    if (this.#fields && first)
      return [{ kind: "product", product: this.#toProduct(this.#fields, first) }];
    if (this.#isFirstRowReported) return [];
    const message = "no variant of the product could be read";
    return [rejectedRow(this.#firstRow, { field: "Variant Price", message })];
  }

  #readRow(row: CsvRow): void {
    if (row.issue) throw invalid(row.issue.field, row.issue.message);
    if (this.#rowCount > maxRowsPerProduct) {
      throw invalid("Handle", `a product may have ${maxRowsPerProduct} rows`);
    }
    if (this.#rowCount === 1) this.#addFirstRow(row);
    else if (this.#fields) this.#addFurtherRow(row, this.#fields);
  }

  /**
   * Adds the first row. Its image is added before its variant is read, because the image belongs to
   * the product and is imported even if the variant is rejected.
   */
  #addFirstRow(row: CsvRow): void {
    const fields = readProductFields(row);
    this.#fields = fields;
    if (fields.image) this.#images.push(fields.image);
    if (hasVariant(row)) this.#addVariant(this.#readVariant(row, fields, true));
  }

  #addFurtherRow(row: CsvRow, fields: ProductFields): void {
    const image = readImage(row, this.#images.length + 1);
    if (!hasVariant(row) && !image) throw invalid("", "the row has neither a variant nor an image");
    if (hasVariant(row)) this.#addVariant(this.#readVariant(row, fields, false));
    if (image) this.#images.push(image);
  }

  #readVariant(row: CsvRow, { axes }: ProductFields, isFirstRow: boolean): PricedVariant {
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

  #toProduct({ axes, image: _, ...fields }: ProductFields, first: PricedVariant): ImportedProduct {
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

import type { ImportedColumns, VariantAxis } from "../../catalogue/index.ts";
import { invalid, isWebUrlOrPath } from "../../kernel/index.ts";
import { cell, choiceCell, countCell, nameCell } from "./cells.ts";
import {
  defaultOption,
  isUnmappedColumn,
  isVariantColumn,
  type OptionNumber,
  optionName,
  optionNumbers,
  optionValue,
  taxClassColumn,
} from "./columns.ts";
import type { CsvImage, CsvProduct } from "./csv-product.ts";
import type { CsvRow } from "./read-rows.ts";

/** An axis, with the number of the option columns that contain its name and values. */
export type OptionAxis = Readonly<{ option: OptionNumber }> & Pick<VariantAxis, "name" | "label">;

export type ProductFields = Readonly<{ axes: readonly OptionAxis[]; image: CsvImage | null }> &
  Pick<
    CsvProduct,
    "handle" | "title" | "description" | "tags" | "isPublished" | "taxClass" | "unmappedColumns"
  >;

/** Reads the product's own fields from the first of its rows. */
export function readProductFields(row: CsvRow): ProductFields {
  return {
    handle: readHandle(row),
    title: nameCell(row, "Title"),
    description: cell(row, "Body (HTML)"),
    tags: readTags(row),
    isPublished: readPublished(row),
    taxClass: cell(row, taxClassColumn).trim().toLowerCase() || null,
    axes: readAxes(row),
    image: readImage(row, 1),
    unmappedColumns: unmappedColumnsOf(row, (column) => !isVariantColumn(column)),
  };
}

/** The image of a row, or null. An image without a position gets `nextPosition`. */
export function readImage(row: CsvRow, nextPosition: number): CsvImage | null {
  const url = cell(row, "Image Src").trim();
  if (url === "") return null;
  if (!isWebUrlOrPath(url)) {
    throw invalid("Image Src", "must be an http or https address, or a path of this service");
  }
  const position = countCell(row, "Image Position") ?? nextPosition;
  return { url, position, alt: cell(row, "Image Alt Text") };
}

export function unmappedColumnsOf(
  row: CsvRow,
  isIncluded: (column: string) => boolean,
): ImportedColumns {
  return Object.fromEntries(
    [...row.values].filter(([column]) => isUnmappedColumn(column) && isIncluded(column)),
  );
}

function readHandle(row: CsvRow): string {
  const handle = nameCell(row, "Handle").trim();
  if (/[\s/?#%\\]/.test(handle)) {
    throw invalid("Handle", "must fit into an address: no spaces, slashes or any of ?, #, %");
  }
  return handle;
}

const readTags = (row: CsvRow): string[] => {
  const tags = cell(row, "Tags")
    .split(",")
    .map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
};

/**
 * Whether the product is published. Newer exports have the columns Status and Published, and each
 * of them can hide the product.
 */
function readPublished(row: CsvRow): boolean {
  const published = choiceCell(row, "Published", ["true", "false"]) ?? "true";
  const status = cell(row, "Status").trim().toLowerCase() || "active";
  return published === "true" && status === "active";
}

function readAxes(row: CsvRow): OptionAxis[] {
  if (hasNoOptions(row)) return [];
  const axes: OptionAxis[] = [];
  for (const option of optionNumbers) {
    const column = optionName(option);
    if (cell(row, column).trim() === "") {
      if (cell(row, optionValue(option)) === "") continue;
      throw invalid(column, `is missing beside ${optionValue(option)}`);
    }
    const label = nameCell(row, column);
    const name = toSnakeCase(label) || `option_${option}`;
    if (axes.some((axis) => axis.name === name)) throw invalid(column, "names an option twice");
    axes.push({ option, name, label });
  }
  return axes;
}

const hasNoOptions = (row: CsvRow): boolean =>
  cell(row, optionName(1)) === defaultOption.name &&
  cell(row, optionValue(1)) === defaultOption.value;

const toSnakeCase = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");

import { invalid } from "../../kernel/index.ts";
import type { VariantAxis } from "../product.ts";
import { cell, choiceCell, countCell, nameCell } from "./cells.ts";
import {
  isExtra,
  isOfVariant,
  noOptions,
  type OptionNumber,
  optionName,
  optionNumbers,
  optionValue,
} from "./columns.ts";
import type { CsvImage, ExportedProduct, ExtraColumns } from "./imported-product.ts";
import type { Row } from "./read-rows.ts";

/** An axis and the option columns that it stands in. */
export type OptionAxis = Readonly<{ option: OptionNumber }> & Pick<VariantAxis, "name" | "label">;

export type ProductFields = Readonly<{ axes: readonly OptionAxis[]; image: CsvImage | null }> &
  Pick<ExportedProduct, "handle" | "title" | "description" | "tags" | "isPublished" | "extra">;

/** What the first row of a product says about the product itself. */
export function readProductFields(row: Row): ProductFields {
  return {
    handle: readHandle(row),
    title: nameCell(row, "Title"),
    description: cell(row, "Body (HTML)"),
    tags: readTags(row),
    isPublished: readPublished(row),
    axes: readAxes(row),
    image: readImage(row, 1),
    extra: extraOf(row, (column) => !isOfVariant(column)),
  };
}

/** The row's image, or null; without a position of its own it takes `nextPosition`. */
export function readImage(row: Row, nextPosition: number): CsvImage | null {
  const url = cell(row, "Image Src").trim();
  if (url === "") return null;
  if (!isOwnPath(url) && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw invalid("Image Src", "must be an http or https address, or a path of this service");
  }
  const position = countCell(row, "Image Position") ?? nextPosition;
  return { url, position, alt: cell(row, "Image Alt Text") };
}

/** A picture that this service serves itself. */
const isOwnPath = (url: string): boolean => /^\/[^/\s]\S*$/.test(url);

export function extraOf(row: Row, belongs: (column: string) => boolean): ExtraColumns {
  return Object.fromEntries(
    [...row.values].filter(([column]) => isExtra(column) && belongs(column)),
  );
}

function readHandle(row: Row): string {
  const handle = nameCell(row, "Handle").trim();
  if (/[\s/?#%\\]/.test(handle)) {
    throw invalid("Handle", "must fit into an address: no spaces, slashes or any of ?, #, %");
  }
  return handle;
}

const readTags = (row: Row): string[] => {
  const tags = cell(row, "Tags")
    .split(",")
    .map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
};

/** Newer exports have a Status beside Published; either can keep a product from the public. */
function readPublished(row: Row): boolean {
  const published = choiceCell(row, "Published", ["true", "false"]) ?? "true";
  const status = cell(row, "Status").trim().toLowerCase() || "active";
  return published === "true" && status === "active";
}

function readAxes(row: Row): OptionAxis[] {
  if (hasNoOptions(row)) return [];
  const axes: OptionAxis[] = [];
  for (const option of optionNumbers) {
    const column = optionName(option);
    if (cell(row, column).trim() === "") {
      if (cell(row, optionValue(option)) === "") continue;
      throw invalid(column, `is missing beside ${optionValue(option)}`);
    }
    const label = nameCell(row, column);
    const name = snakeCase(label) || `option_${option}`;
    if (axes.some((axis) => axis.name === name)) throw invalid(column, "names an option twice");
    axes.push({ option, name, label });
  }
  return axes;
}

const hasNoOptions = (row: Row): boolean =>
  cell(row, optionName(1)) === noOptions.name && cell(row, optionValue(1)) === noOptions.value;

const snakeCase = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");

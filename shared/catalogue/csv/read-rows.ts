import { type FieldIssue, invalid } from "../../kernel/index.ts";
import { requiredColumns } from "./columns.ts";
import { type CsvRecord, readRecords } from "./read-records.ts";

/** A line of the file: column name to cell, only what is not empty. */
export type Row = Readonly<{
  line: number;
  values: ReadonlyMap<string, string>;
  problem: FieldIssue | null;
}>;

const maxRows = 100_000;
const maxFieldBytes = 64 * 1024;

/**
 * The rows of a product CSV below its header; rows without any value are passed over.
 *
 * @throws Refusal VALIDATION_ERROR when the header is not that of a product CSV.
 */
export async function* readRows(stream: ReadableStream<Uint8Array>): AsyncGenerator<Row> {
  let header: readonly string[] | null = null;
  let rows = 0;
  for await (const record of readRecords(stream)) {
    if (header === null) {
      header = readHeader(record);
      continue;
    }
    const row = readRow(header, record);
    if (row.values.size === 0 && row.problem === null) continue;
    rows += 1;
    if (rows > maxRows) {
      const message = `a file may have ${maxRows} rows; it was not read on from here`;
      yield { line: row.line, values: new Map(), problem: { field: "", message } };
      return;
    }
    yield row;
  }
  if (header === null) throw invalid("file", "is empty; a product CSV was expected");
}

function readHeader({ cells, problem }: CsvRecord): readonly string[] {
  const header = cells.map((cell) => cell.trim());
  const missing = requiredColumns.filter((column) => !header.includes(column));
  if (problem !== null || missing.length > 0) {
    throw invalid("file", `is not a product CSV: its first line lacks ${missing.join(", ")}`);
  }
  const repeated = header.find((column, at) => column !== "" && header.indexOf(column) !== at);
  if (repeated !== undefined) throw invalid("file", `has the column ${repeated} twice`);
  return header;
}

function readRow(header: readonly string[], { line, cells, problem }: CsvRecord): Row {
  const values = new Map<string, string>();
  for (const [at, cell] of cells.entries()) {
    const column = header[at];
    if (column && cell !== "") values.set(column, cell);
  }
  if (problem !== null) return { line, values, problem: { field: "", message: problem } };
  if (values.size === 0) return { line, values, problem: null };
  return { line, values, problem: miscounted(header, cells) ?? unfitCell(values) };
}

function miscounted(header: readonly string[], cells: readonly string[]): FieldIssue | null {
  if (cells.length === header.length) return null;
  return { field: "", message: `the row has ${cells.length} cells, the header ${header.length}` };
}

function unfitCell(values: ReadonlyMap<string, string>): FieldIssue | null {
  for (const [field, cell] of values) {
    if (isTooLong(cell)) return { field, message: "is longer than 64 KiB" };
    if (cell.includes("\ufffd")) return { field, message: "is not UTF-8 text" };
    if (controlCharacter.test(cell)) return { field, message: "contains a control character" };
  }
  return null;
}

/** Tabs and line ends are text. */
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
const encoder = new TextEncoder();

/** A UTF-16 unit takes one to three bytes, so that most cells need no encoding. */
const isTooLong = (cell: string): boolean =>
  cell.length > maxFieldBytes / 3 && encoder.encode(cell).byteLength > maxFieldBytes;

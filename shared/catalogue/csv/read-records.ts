import { CsvError, parse } from "csv-parse/stream";

/** `line` is where the record begins; `problem` says why the file cannot be read on from there. */
export type CsvRecord = Readonly<{
  line: number;
  cells: readonly string[];
  problem: string | null;
}>;

const sliceBytes = 64 * 1024;
/** Bounds what an unclosed quote can swallow. */
const maxRecordBytes = 1024 * 1024;

type Parsed = Readonly<{ cells: readonly string[]; emptyLines: number }>;

/**
 * The records of a CSV file, UTF-8 with or without a byte order mark, lines ended in any way,
 * read as they arrive. Where the quoting is broken beyond repair the last record has a `problem`.
 */
export async function* readRecords(stream: ReadableStream<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parsed: Parsed[] = [];
  const parser = parserInto(parsed);
  const writer = parser.writable.getWriter();
  const place = { records: 0, breaks: 0, emptyLines: 0 };
  const line = () => 1 + place.records + place.breaks + place.emptyLines;

  function* arrived(): Generator<CsvRecord> {
    for (const { cells, emptyLines } of parsed.splice(0)) {
      place.emptyLines = emptyLines;
      yield { line: line(), cells, problem: null };
      place.records += 1;
      place.breaks += lineBreaks(cells);
    }
  }

  try {
    for await (const bytes of slices(stream)) {
      await writer.write(bytes);
      yield* arrived();
    }
    await Promise.all([writer.close(), parser.readable.getReader().closed]);
    yield* arrived();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield* arrived();
    yield { line: line(), cells: [], problem: problemOf(error) };
  }
}

/**
 * A parser that hands its records to `parsed` at once: left in the stream's own queue, those
 * before an error would be lost with it, and how many depends on how the bytes arrive.
 */
function parserInto(parsed: Parsed[]): TransformStream<Uint8Array, unknown> {
  return parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    on_record: (cells: string[], { empty_lines }) => {
      parsed.push({ cells, emptyLines: empty_lines });
      return null;
    },
  });
}

/** Small pieces bound what is parsed ahead; the empty one lets the parser end an empty file. */
async function* slices(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength; at += sliceBytes) {
      yield chunk.subarray(at, at + sliceBytes);
    }
  }
}

const lineBreaks = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

const problemOf = ({ code }: CsvError): string =>
  code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quote is opened and never closed; the file was not read on from here"
    : "the row is longer than 1 MiB, as after an unclosed quote; the file was not read on from here";

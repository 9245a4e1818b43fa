import { CsvError, parse } from "csv-parse/stream";

/**
 * A record of a CSV file, which begins at `line`. `error` is set on the last record when the rest
 * of the file cannot be read. That record has no cells.
 */
export type CsvRecord = Readonly<{
  line: number;
  cells: readonly string[];
  error: string | null;
}>;

/** Small, because the parser keeps all records of a slice in memory. */
const sliceBytes = 64 * 1024;
/** Limits the text that an unclosed quote makes part of a record. */
const maxRecordBytes = 1024 * 1024;

type ParsedRecord = Readonly<{ cells: readonly string[]; emptyLines: number }>;

/**
 * Reads the records of a CSV file as a stream. The file is UTF-8, with or without a byte order
 * mark. All kinds of line ends are allowed.
 */
export async function* readRecords(stream: ReadableStream<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parsed: ParsedRecord[] = [];
  const parser = createParser(parsed);
  const writer = parser.writable.getWriter();
  const position = { records: 0, lineBreaks: 0, emptyLines: 0 };
  const currentLine = () => 1 + position.records + position.lineBreaks + position.emptyLines;

  function* takeParsed(): Generator<CsvRecord> {
    for (const { cells, emptyLines } of parsed.splice(0)) {
      position.emptyLines = emptyLines;
      yield { line: currentLine(), cells, error: null };
      position.records += 1;
      position.lineBreaks += countLineBreaks(cells);
    }
  }

  try {
    for await (const slice of slices(stream)) {
      await writer.write(slice);
      yield* takeParsed();
    }
    await Promise.all([writer.close(), parser.readable.getReader().closed]);
    yield* takeParsed();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield* takeParsed();
    yield { line: currentLine(), cells: [], error: errorMessageOf(error) };
  }
}

/**
 * Creates a parser that appends records to `parsed`. The parser's own output is not used, because
 * an error would drop the records before it.
 */
function createParser(parsed: ParsedRecord[]): TransformStream<Uint8Array, unknown> {
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

async function* slices(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(); // Without any chunk, the parser would not end for an empty file.
  for await (const chunk of stream) {
    for (let offset = 0; offset < chunk.byteLength; offset += sliceBytes) {
      yield chunk.subarray(offset, offset + sliceBytes);
    }
  }
}

const countLineBreaks = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);

const errorMessageOf = ({ code }: CsvError): string =>
  code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quote is opened and never closed; the file was not read on from here"
    : "the row is longer than 1 MiB, as after an unclosed quote; the file was not read on from here";

import { invalid } from "../../kernel/index.ts";
import type { PortabilityContext } from "../context.ts";
import type { ImportJob } from "../job.ts";
import { partFiles } from "../part-files.ts";
import { readFooter, readHeader } from "./rows/header.ts";

/** A part of whole lines is stored when it has as many bytes. */
const partBytes = 1_000_000;
/** D1 stores rows of at most 2 MB. */
const maxLineBytes = 2_000_000;
const newline = 10;

export type ReceivedFile = Readonly<{ parts: number; bytes: number }>;

/**
 * Stores a file in parts of whole lines while it arrives, and checks its first and its last line.
 *
 * @throws Refusal VALIDATION_ERROR for a file that is not a whole export.
 */
export async function receiveFile(
  ctx: Pick<PortabilityContext, "files">,
  job: ImportJob,
  body: ReadableStream<Uint8Array>,
): Promise<ReceivedFile> {
  const files = partFiles(ctx, job);
  let pending = new Uint8Array(0);
  let [parts, bytes, lines] = [0, 0, 0];
  let lastLine = "";

  async function store(part: Uint8Array): Promise<void> {
    const text = decode(part);
    if (parts === 0) assertHeader(text);
    lastLine = text.trimEnd().split("\n").at(-1) ?? "";
    lines += part.reduce((sum, byte) => sum + (byte === newline ? 1 : 0), 0);
    await files.put(parts, 0, part);
    parts += 1;
  }

  for await (const chunk of body) {
    bytes += chunk.byteLength;
    pending = concatenate(pending, chunk);
    const end = pending.lastIndexOf(newline) + 1;
    if (pending.byteLength - end > maxLineBytes) {
      throw invalid("file", "A line is longer than 2 MB, so this is not an export.");
    }
    if (pending.byteLength < partBytes || end === 0) continue;
    await store(pending.slice(0, end));
    pending = pending.slice(end);
  }
  if (pending.byteLength > 0) await store(pending);
  if (pending.at(-1) !== newline && pending.byteLength > 0) lines += 1;
  const rows = readFooter(lastLine);
  if (rows === null) throw invalid("file", "The last line of the export is missing: it is cut.");
  if (rows !== lines - 2) {
    throw invalid("file", `The export has ${rows} rows and the file ${lines - 2}: it is cut.`);
  }
  return { parts, bytes };
}

function assertHeader(text: string): void {
  const header = readHeader(text.slice(0, text.indexOf("\n")));
  if (typeof header === "string") throw invalid("file", header);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw invalid("file", "must be UTF-8.");
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.byteLength + second.byteLength);
  all.set(first);
  all.set(second, first.byteLength);
  return all;
}

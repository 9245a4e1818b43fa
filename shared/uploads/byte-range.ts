/** A part of a file. Offset and length are in bytes. */
export type ByteRange = Readonly<{ offset: number; length: number }>;

const singleRange = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The part of a file that a Range header requests (RFC 9110, section 14.2). Null means the whole
 * file. That is the result without a header, and for an invalid header or several ranges.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | null {
  const [matched, first = "", last = ""] = singleRange.exec(header ?? "") ?? [];
  if (matched === undefined || (first === "" && last === "")) return null;
  if (first === "") return suffixRange(Number(last), sizeBytes);
  const offset = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= sizeBytes ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

/** The range of the last `count` bytes. Null (the whole file) when the file is empty. */
function suffixRange(count: number, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  if (count === 0) return "unsatisfiable";
  if (sizeBytes === 0) return null;
  const length = Math.min(count, sizeBytes);
  return { offset: sizeBytes - length, length };
}

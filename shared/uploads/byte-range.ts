/** Part of a file; both in bytes. */
export type ByteRange = Readonly<{ offset: number; length: number }>;

const singleRange = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The part of a file that a Range header requests (RFC 9110, section 14.2). Null means the whole
 * file: without a header, or for one that is invalid or lists several ranges.
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

/** The last bytes of a file; of an empty file, the whole file. */
function suffixRange(count: number, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  if (count === 0) return "unsatisfiable";
  if (sizeBytes === 0) return null;
  const length = Math.min(count, sizeBytes);
  return { offset: sizeBytes - length, length };
}

/** Part of a file; both in bytes. */
export type ByteRange = Readonly<{ offset: number; length: number }>;

const one = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * What a Range header asks for of a file (RFC 9110, 14.2): a part, or nothing that is there. Null is
 * the whole file: without the header, and for what need not be understood, several parts among it.
 */
export function rangeOf(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | null {
  const [matched, first = "", last = ""] = one.exec(header ?? "") ?? [];
  if (matched === undefined || (first === "" && last === "")) return null;
  if (first === "") return lastBytes(Number(last), sizeBytes);
  const offset = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= sizeBytes ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

/** Of an empty file any number of last bytes is there, and is all of it. */
function lastBytes(count: number, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  if (count === 0) return "unsatisfiable";
  if (sizeBytes === 0) return null;
  const length = Math.min(count, sizeBytes);
  return { offset: sizeBytes - length, length };
}

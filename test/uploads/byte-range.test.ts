import { expect, it } from "vitest";
import { parseByteRange } from "../../shared/uploads/index.ts";

it.each([
  ["bytes=0-0", { offset: 0, length: 1 }],
  ["bytes=2-4", { offset: 2, length: 3 }],
  ["bytes=7-", { offset: 7, length: 3 }],
  ["bytes=8-99", { offset: 8, length: 2 }],
  ["bytes=-3", { offset: 7, length: 3 }],
  ["bytes=-99", { offset: 0, length: 10 }],
  ["BYTES=2-4", { offset: 2, length: 3 }],
])("parses %s of ten bytes", (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range);
});

it.each(["bytes=10-", "bytes=10-12", "bytes=-0"])("cannot satisfy %s of ten bytes", (header) => {
  expect(parseByteRange(header, 10)).toBe("unsatisfiable");
});

it.each([undefined, "", "bytes=-", "bytes=4-2", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5"])(
  "treats %j as the whole file",
  (header) => {
    expect(parseByteRange(header, 10)).toBeNull();
  },
);

it("satisfies only a suffix range of an empty file", () => {
  expect(parseByteRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(parseByteRange("bytes=-0", 0)).toBe("unsatisfiable");
  expect(parseByteRange("bytes=-1", 0)).toBeNull();
});

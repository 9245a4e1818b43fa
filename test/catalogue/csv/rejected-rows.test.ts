import { describe, expect, it } from "vitest";
import { bakeryWithMistakes, bytesOf, draftsOf, read, readText, rejectedOf } from "./support.ts";

const header = "Handle,Title,Variant Price,Option1 Name,Option1 Value,Variant SKU";
const repeatedly = function* (count: number, line: (at: number) => string) {
  yield bytesOf(`${header}\n`);
  for (let at = 0; at < count; at += 1_000) {
    const size = Math.min(1_000, count - at);
    yield bytesOf(Array.from({ length: size }, (_, each) => line(at + each)).join(""));
  }
};

describe("a bad row", () => {
  it("is reported by line and column while the rest goes in", async () => {
    const outcomes = await readText(bakeryWithMistakes);
    expect(rejectedOf(outcomes).map(({ row, field, message }) => [row, field, message])).toEqual([
      [4, "Variant Price", "must be an amount of at least 0, such as 12.50"],
      [5, "Variant Inventory Qty", "must be a whole number from 0 to 1000000000"],
      [6, "Option1 Value", "the product has the variant One already"],
      [7, "Variant SKU", "the product has a variant BAG-1 already"],
      [8, "", "the row has 48 cells, the header 46"],
      [9, "Image Src", "must be an http or https address, or a path of this service"],
      [10, "", "the row has neither a variant nor an image"],
      [12, "Title", "is missing"],
      [14, "Variant Price", "is missing"],
      [15, "Published", "must be one of true, false"],
      [16, "Handle", "is missing"],
      [17, "Variant Inventory Qty", "must be a whole number from 0 to 1000000000"],
      [19, "Option2 Value", "stands beside no option of the product"],
      [20, "Handle", "plain-bagel has its rows from line 2 on; they must follow one another"],
      [22, "Title", "contains a control character"],
    ]);
    expect(
      draftsOf(outcomes).map(({ handle, variants }) => [handle, variants.map(({ name }) => name)]),
    ).toEqual([
      ["plain-bagel", ["One", "Ten"]],
      ["oat-loaf", ["1 kg"]],
      ["milk-bun", ["Default Title"]],
    ]);
  });

  it("leaves its product's other fields when only its variant is bad, and the next variant is the default", async () => {
    const loaf = draftsOf(await readText(bakeryWithMistakes)).find(
      ({ handle }) => handle === "oat-loaf",
    );
    expect(loaf).toMatchObject({
      title: "Oat Loaf",
      defaultPriceMinor: 890,
      axes: [{ name: "weight", values: ["1 kg"] }],
      images: [{ position: 1 }],
      variants: [{ priceAdjustmentMinor: 0 }],
    });
  });

  it("names the product's first row when no variant of it can be read", async () => {
    const text = `${header}\na,A,,Size,,\na,,-1,,S,\na,,x,,M,\n`;
    expect(rejectedOf(await readText(text)).map(({ row, field }) => [row, field])).toEqual([
      [3, "Variant Price"],
      [4, "Variant Price"],
      [2, "Variant Price"],
    ]);
  });

  it.each([
    ["-1", "Variant Price"],
    ["1,5", "Variant Price"],
    ["1e3", "Variant Price"],
    ["0.005", "Variant Price"],
    ["99999999999999999", "Variant Price"],
    ["007", "Variant Price"],
    ["$5", "Variant Price"],
    ["NaN", "Variant Price"],
  ])("has a price such as %s", async (price, field) => {
    const outcomes = await readText(`${header}\na,A,"${price}",,,\nb,B,1,,,\n`);
    expect(outcomes).toMatchObject([
      { kind: "rejected", row: 2, field },
      { kind: "product", draft: { handle: "b" } },
    ]);
  });

  it.each([
    ["a b", "Handle"],
    ["a/b", "Handle"],
    ["a?b", "Handle"],
    ["x".repeat(256), "Handle"],
  ])("has a handle such as %s", async (handle, field) => {
    expect(await readText(`${header}\n${handle},A,1,,,\n`)).toMatchObject([
      { kind: "rejected", row: 2, field },
    ]);
  });

  it("has an option value beside no option name, or an option named twice", async () => {
    const columns =
      "Handle,Title,Variant Price,Option1 Name,Option1 Value,Option2 Name,Option2 Value";
    const text = `${columns}\na,A,1,,Red,,\nb,B,1,Size,S,size,M\nc,C,1,Size,S,,M\nd,D,1,Size,S,Colour,\n`;
    expect(rejectedOf(await readText(text)).map(({ row, field }) => [row, field])).toEqual([
      [2, "Option1 Name"],
      [3, "Option2 Name"],
      [4, "Option2 Name"],
      [5, "Option2 Value"],
    ]);
  });

  it("has a field beyond 64 KiB, counted in bytes", async () => {
    const text = (size: number) =>
      `${header},Body (HTML)\na,A,1,,,,${"é".repeat(size)}\nb,B,1,,,,\n`;
    expect(await readText(text(32 * 1024))).toMatchObject([
      { kind: "product" },
      { kind: "product" },
    ]);
    expect(await readText(text(32 * 1024 + 1))).toMatchObject([
      { kind: "rejected", row: 2, field: "Body (HTML)", message: "is longer than 64 KiB" },
      { kind: "product" },
    ]);
  });

  it("is not UTF-8", async () => {
    const bytes = bytesOf(`${header}\na,Cafe,1,,,\nb,B,1,,,\n`);
    bytes[bytes.lastIndexOf("e".charCodeAt(0))] = 0xe9;
    expect(await read([bytes])).toMatchObject([
      { kind: "rejected", row: 2, field: "Title" },
      { kind: "product" },
    ]);
  });

  it("opens a quote that is never closed: what was before it goes in", async () => {
    const before = `${header}\na,A,1,,,\n`;
    expect(await readText(`${before}b,"B,1,,,\nc,C,1,,,\n`)).toMatchObject([
      { kind: "rejected", row: 3, field: "", message: expect.stringContaining("never closed") },
      { kind: "product", draft: { handle: "a" } },
    ]);
    expect(await readText(`${before}b,"B,1,,,\n${"c,C,1,,,\n".repeat(200_000)}`)).toMatchObject([
      {
        kind: "rejected",
        row: 3,
        field: "",
        message: expect.stringContaining("longer than 1 MiB"),
      },
      { kind: "product", draft: { handle: "a" } },
    ]);
  });

  it("is the one after the hundred thousandth", async () => {
    const outcomes = await read(repeatedly(100_002, (at) => `p${at},P,1,,,\n`));
    expect(draftsOf(outcomes)).toHaveLength(100_000);
    expect(rejectedOf(outcomes)).toMatchObject([{ row: 100_002, field: "" }]);
  });

  it("is the one after the product's 2,500th", async () => {
    const outcomes = await read(repeatedly(2_502, (at) => `a,A,1,Size,${at},\n`));
    expect(draftsOf(outcomes).map(({ variants }) => variants.length)).toEqual([2_500]);
    expect(rejectedOf(outcomes)).toMatchObject([
      { row: 2_502, field: "Handle" },
      { row: 2_503, field: "Handle" },
    ]);
  });
});

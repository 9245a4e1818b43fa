import { describe, expect, it } from "vitest";
import {
  bakeryWithMistakes,
  encode,
  productsIn,
  readChunks,
  readText,
  rejectedIn,
} from "./support.ts";

const header = "Handle,Title,Variant Price,Option1 Name,Option1 Value,Variant SKU";
const createRows = function* (count: number, line: (at: number) => string) {
  yield encode(`${header}\n`);
  for (let at = 0; at < count; at += 1_000) {
    const size = Math.min(1_000, count - at);
    yield encode(Array.from({ length: size }, (_, each) => line(at + each)).join(""));
  }
};

describe("readProducts, with a bad row", () => {
  it("reports its line and column and reads the other rows", async () => {
    const results = await readText(bakeryWithMistakes);
    expect(rejectedIn(results).map(({ row, field, message }) => [row, field, message])).toEqual([
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
      [19, "Option2 Value", "belongs to no option of the product"],
      [20, "Handle", "plain-bagel has its rows from line 2 on; they must follow one another"],
      [22, "Title", "contains a control character"],
    ]);
    expect(
      productsIn(results).map(({ handle, variants }) => [handle, variants.map(({ name }) => name)]),
    ).toEqual([
      ["plain-bagel", ["One", "Ten"]],
      ["oat-loaf", ["1 kg"]],
      ["milk-bun", ["Default Title"]],
    ]);
  });

  it.each(["/\\host.example/x.png", "//host.example/x.png", "https:host.example/x.png", "x.png"])(
    "rejects the image address %s, which leads elsewhere or nowhere",
    async (address) => {
      const results = await readText(
        `Handle,Title,Variant Price,Image Src\ntea,Tea,1.00,${address}\n`,
      );
      expect(rejectedIn(results).map(({ field }) => field)).toEqual(["Image Src"]);
    },
  );

  it("keeps the product of a bad first variant and makes the next variant the default", async () => {
    const loaf = productsIn(await readText(bakeryWithMistakes)).find(
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

  it("reports the product's first row when none of its variants can be read", async () => {
    const text = `${header}\na,A,,Size,,\na,,-1,,S,\na,,x,,M,\n`;
    expect(rejectedIn(await readText(text)).map(({ row, field }) => [row, field])).toEqual([
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
  ])("rejects the price %s", async (price, field) => {
    const results = await readText(`${header}\na,A,"${price}",,,\nb,B,1,,,\n`);
    expect(results).toMatchObject([
      { kind: "rejected", row: 2, field },
      { kind: "product", product: { handle: "b" } },
    ]);
  });

  it.each([
    ["a b", "Handle"],
    ["a/b", "Handle"],
    ["a?b", "Handle"],
    ["x".repeat(256), "Handle"],
  ])("rejects the handle %s", async (handle, field) => {
    expect(await readText(`${header}\n${handle},A,1,,,\n`)).toMatchObject([
      { kind: "rejected", row: 2, field },
    ]);
  });

  it("rejects an option value without an option name and a repeated option name", async () => {
    const columns =
      "Handle,Title,Variant Price,Option1 Name,Option1 Value,Option2 Name,Option2 Value";
    const text = `${columns}\na,A,1,,Red,,\nb,B,1,Size,S,size,M\nc,C,1,Size,S,,M\nd,D,1,Size,S,Colour,\n`;
    expect(rejectedIn(await readText(text)).map(({ row, field }) => [row, field])).toEqual([
      [2, "Option1 Name"],
      [3, "Option2 Name"],
      [4, "Option2 Name"],
      [5, "Option2 Value"],
    ]);
  });

  it("rejects a field of more than 64 KiB, measured in bytes", async () => {
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

  it("rejects a cell that is not UTF-8", async () => {
    const bytes = encode(`${header}\na,Cafe,1,,,\nb,B,1,,,\n`);
    bytes[bytes.lastIndexOf("e".charCodeAt(0))] = 0xe9;
    expect(await readChunks([bytes])).toMatchObject([
      { kind: "rejected", row: 2, field: "Title" },
      { kind: "product" },
    ]);
  });

  it("stops at a quote that is never closed and keeps the rows before it", async () => {
    const before = `${header}\na,A,1,,,\n`;
    expect(await readText(`${before}b,"B,1,,,\nc,C,1,,,\n`)).toMatchObject([
      { kind: "rejected", row: 3, field: "", message: expect.stringContaining("never closed") },
      { kind: "product", product: { handle: "a" } },
    ]);
    expect(await readText(`${before}b,"B,1,,,\n${"c,C,1,,,\n".repeat(200_000)}`)).toMatchObject([
      {
        kind: "rejected",
        row: 3,
        field: "",
        message: expect.stringContaining("longer than 1 MiB"),
      },
      { kind: "product", product: { handle: "a" } },
    ]);
  });

  it("stops after 100,000 rows", async () => {
    const results = await readChunks(createRows(100_002, (at) => `p${at},P,1,,,\n`));
    expect(productsIn(results)).toHaveLength(100_000);
    expect(rejectedIn(results)).toMatchObject([{ row: 100_002, field: "" }]);
  });

  it("rejects rows after a product's 2,500th", async () => {
    const results = await readChunks(createRows(2_502, (at) => `a,A,1,Size,${at},\n`));
    expect(productsIn(results).map(({ variants }) => variants.length)).toEqual([2_500]);
    expect(rejectedIn(results)).toMatchObject([
      { row: 2_502, field: "Handle" },
      { row: 2_503, field: "Handle" },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { bakery, encode, productsIn, readChunks, readText, rejectedIn } from "./support.ts";

const header = "Handle,Title,Variant Price";
const findProduct = async (handle: string) =>
  productsIn(await readText(bakery)).find((product) => product.handle === handle);

describe("readProducts", () => {
  it("combines consecutive rows with the same handle into one product", async () => {
    const results = await readText(bakery);
    expect(rejectedIn(results)).toEqual([]);
    expect(
      productsIn(results).map(({ handle, firstRow, variants, images }) => [
        handle,
        firstRow,
        variants.length,
        images.length,
      ]),
    ).toEqual([
      ["seeded-rye", 2, 1, 3],
      ["butter-croissant", 6, 4, 2],
      ["celebration-cake", 10, 4, 1],
      ["kringla-með-kardimommu", 16, 1, 1],
      ["sourdough-starter", 17, 1, 0],
      ["gift-card-for-bread", 18, 2, 1],
      ["oat-biscuits", 20, 2, 2],
      ["morning-bun-class", 22, 1, 0],
    ]);
  });

  it("reads the option Title / Default Title as a product without variants", async () => {
    expect(await findProduct("seeded-rye")).toEqual({
      handle: "seeded-rye",
      title: "Seeded Rye",
      description:
        '<p>Sour, dark and close.\nKeeps for a week; "better on day three", says Ilse.</p>',
      tags: ["rye", "sourdough", "vegan"],
      isPublished: true,
      taxClass: null,
      images: [
        {
          url: "https://images.hearthandrye.example/seeded-rye.jpg",
          position: 1,
          alt: "A dark loaf, cut once",
        },
        {
          url: "https://images.hearthandrye.example/seeded-rye-crumb.jpg",
          position: 2,
          alt: "The crumb, close",
        },
        { url: "https://images.hearthandrye.example/seeded-rye-oven.jpg", position: 3, alt: "" },
      ],
      axes: [],
      defaultPriceMinor: 640,
      variants: [
        {
          axisValues: {},
          name: "Default Title",
          sku: "RYE-1",
          priceAdjustmentMinor: 0,
          compareAtMinor: 700,
          quantity: 24,
          tracksInventory: true,
          policy: "deny",
          grams: 900,
          requiresShipping: true,
          unmappedColumns: {
            "Variant Inventory Tracker": "shopify",
            "Variant Fulfillment Service": "manual",
            "Variant Taxable": "true",
            "Variant Barcode": "0400000000015",
            "Variant Weight Unit": "kg",
          },
        },
      ],
      unmappedColumns: {
        Vendor: "Hearth & Rye",
        Type: "Bread",
        "Gift Card": "false",
        "SEO Title": "Seeded rye bread",
        "SEO Description": "Whole rye, three seeds, two days.",
        "Google Shopping / Google Product Category": "Food Items > Bakery > Bread",
      },
      firstRow: 2,
    });
  });

  it("turns each option into an axis with a snake case name and the original label", async () => {
    expect((await findProduct("celebration-cake"))?.axes).toEqual([
      { name: "size", label: "Size", values: ["16 cm", "24 cm"] },
      { name: "flavour", label: "Flavour", values: ["Lemon", "Chocolate"] },
      { name: "letters_on_top", label: "Letters (on top)", values: ["None", "Up to 12"] },
    ]);
  });

  it("reads variant prices as adjustments of the first variant's price", async () => {
    const cake = await findProduct("celebration-cake");
    expect(cake?.defaultPriceMinor).toBe(3800);
    expect(
      cake?.variants.map(({ name, priceAdjustmentMinor }) => [name, priceAdjustmentMinor]),
    ).toEqual([
      ["16 cm / Lemon / None", 0],
      ["16 cm / Chocolate / Up to 12", 650],
      ["24 cm / Lemon / Up to 12", 2300],
      ["24 cm / Chocolate / None", 1800],
    ]);
  });

  it("reads a product as unpublished by Published or Status", async () => {
    expect((await findProduct("sourdough-starter"))?.isPublished).toBe(false);
    const text = `${header},Published,Status\na,A,1,true,draft\nb,B,1,,archived\nc,C,1,,\nd,D,1,TRUE,Active\ne,E,1,false,active\nf,F,1,true,unlisted\n`;
    expect(productsIn(await readText(text)).map(({ isPublished }) => isPublished)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it("tracks variants with a quantity or a tracker", async () => {
    const text = `${header},Variant Inventory Qty,Variant Inventory Tracker\na,A,1,0,\nb,B,1,,shopify\nc,C,1,,\n`;
    const variants = productsIn(await readText(text)).flatMap((product) => product.variants);
    expect(variants.map(({ quantity, tracksInventory }) => [quantity, tracksInventory])).toEqual([
      [0, true],
      [null, true],
      [null, false],
    ]);
  });

  it("sorts images by position", async () => {
    expect((await findProduct("oat-biscuits"))?.images.map(({ alt }) => alt)).toEqual([
      "Tin, open",
      "Tin, closed",
    ]);
  });

  it.each([
    ["JPY", "1500.00", 1500],
    ["JPY", "1500", 1500],
    ["EUR", "12.5", 1250],
    ["EUR", "12.5000", 1250],
    ["KWD", "1.250", 1250],
    ["EUR", "0.00", 0],
    ["EUR", "100", 10000],
  ])("reads %s %s as %i minor units", async (currency, price, minor) => {
    const [product] = productsIn(await readText(`${header}\na,A,${price}\n`, currency));
    expect(product?.defaultPriceMinor).toBe(minor);
  });

  it.each([
    ["a byte order mark", `\ufeff${header}\na,A,1\n`],
    ["line ends of Windows", `${header}\r\na,A,1\r\n`],
    ["line ends of both kinds", `${header}\na,A,1\r\n`],
    ["no line end at the end", `${header}\na,A,1`],
    ["empty rows", `${header}\n\n,,\na,A,1\n,,\n\n`],
    ["columns in another order", "Variant Price,Title,Handle\n1,A,a\n"],
  ])("reads a file with %s", async (_, text) => {
    const results = await readText(text);
    expect(results).toMatchObject([
      { kind: "product", product: { handle: "a", title: "A", defaultPriceMinor: 100 } },
    ]);
  });

  it("reports line numbers that include empty lines and line breaks in quoted fields", async () => {
    const text = `${header}\r\n"a","one\r\ntwo",1\r\n\r\nb,"B\nb",1\r\nc,,1\r\n`;
    expect(rejectedIn(await readText(text)).map(({ row }) => row)).toEqual([2, 5, 7]);
  });

  it.each([
    ["an empty file", "", "is empty"],
    ["a file of another kind", '{"products": []}', "has no Handle, Title, Variant Price"],
    ["a file without its prices", "Handle,Title\na,A\n", "has no Variant Price"],
    ["an unclosed quote in the header", `"${header}\na,A,1\n`, "has no Handle"],
    ["a column twice", `${header},Title\na,A,1,A\n`, "has the column Title twice"],
  ])("rejects %s before reading a product", async (_, text, message) => {
    await expect(readText(text)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(message),
      context: { field: "file" },
    });
  });

  it("rejects an empty stream and passes on a stream's error", async () => {
    await expect(readChunks([])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const failing = function* () {
      yield encode(`${header}\n`);
      throw new Error("the connection is gone");
    };
    await expect(readChunks(failing())).rejects.toThrow("the connection is gone");
  });
});

import { describe, expect, it } from "vitest";
import { importProducts } from "../../shared/transfer/index.ts";
import { createKey } from "../support/create-key.ts";
import { refusal, success } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import { contextFor, createBusiness, merchant, roundTrips } from "../support/world.ts";
import { createStream, encode } from "../transfer/csv/support.ts";
import {
  header,
  importCounts,
  importFile,
  mugCsv,
  productCsv,
  selectImportedTables,
  selectImports,
  selectProductRows,
} from "./product-files.ts";

describe("POST /v1/businesses/{business_id}/imports, rejected files", () => {
  const form = (...files: string[]) => {
    const data = new FormData();
    files.forEach((file, index) => {
      data.append(`file${index}`, new File([file], "products.csv"));
    });
    return data;
  };

  it.each([
    { what: "a file that is no CSV", raw: "{}", type: "text/csv", field: "file" },
    {
      what: "a file without the columns",
      raw: "Handle,Title\na,A\n",
      type: "text/csv",
      field: "file",
    },
    { what: "an empty file", raw: "", type: "text/csv", field: "file" },
    { what: "JSON", raw: "{}", type: "application/json", field: "content-type" },
    {
      what: "a body that is no form",
      raw: "x",
      type: "multipart/form-data; boundary=y",
      field: "file",
    },
    {
      what: "a form without its boundary",
      raw: "x",
      type: "multipart/form-data; a=b",
      field: "file",
    },
    { what: "a form without a file", raw: form(), type: null, field: "file" },
    { what: "a form of two files", raw: form(header, header), type: null, field: "file" },
  ])("rejects $what and stores nothing", async ({ raw, type, field }) => {
    const shop = await createBusiness();
    const before = await selectImportedTables(shop);
    const response = await merchant(shop)("POST", "/imports", {
      rawBody: raw,
      headers: type === null ? {} : { "Content-Type": type },
    });
    expect(response.status, JSON.stringify(response.body)).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await selectImportedTables(shop)).toEqual(before);
    expect(await selectImports(shop)).toEqual([]);
  });

  it("rejects a key without the scope", async () => {
    const shop = await createBusiness();
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    const response = await merchant(shop)("POST", "/imports", {
      rawBody: mugCsv("S,,1,1.00"),
      headers,
    });
    expect(response.status).toBe(403);
    expect((await merchant(shop)("GET", "/exports/products", { headers })).status).toBe(200);
  });

  it("rejects a content length of more than 20 MiB without reading the body", async () => {
    const shop = await createBusiness();
    const response = await importFile(shop, new Uint8Array(20 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR"));
    expect(await selectImports(shop)).toEqual([]);
  });

  it.each(["text/csv", "multipart/form-data; boundary=x"])(
    "rejects a %s body that exceeds 20 MiB while it is read, with 413",
    async (type) => {
      const shop = await createBusiness();
      const response = await merchant(shop)("POST", "/imports", {
        rawBody: createStream(endless()),
        headers: { "Content-Type": type },
      });
      expect(response.status, JSON.stringify(response.body)).toBe(413);
      expect(response.body).toMatchObject(refusal("VALIDATION_ERROR"));
      const { products } = await countBusinessRows(shop);
      if (type === "text/csv") expect(products).toBe(1_000);
      else expect(products).toBe(0);
    },
  );

  function* endless(): Generator<Uint8Array> {
    yield encode(header);
    const rows = Array.from({ length: 1_010 }, (_, at) => `p${at},P${at},,true,,,,,1.00`);
    yield encode(`\n${rows.join("\n")}\n`);
    const blank = encode(`${"\n".repeat(1024 * 1024)}`);
    for (let mebibytes = 0; mebibytes < 21; mebibytes += 1) yield blank;
  }
});

describe("POST /v1/businesses/{business_id}/imports, large files", () => {
  const large = (count: number) =>
    productCsv(
      ...Array.from({ length: count }, (_, at) => [
        `product-${at},Product ${at},"a, b",true,Size,S,P${at}-S,5,1.00`,
        `product-${at},,,,,L,P${at}-L,5,2.00`,
      ]).flat(),
    );

  it("takes two round trips per chunk, and one for a chunk that changes nothing", async () => {
    const shop = await createBusiness();
    await importFile(shop, large(1));
    const first = await importFile(shop, large(2_000));
    expect(first.body).toMatchObject(
      success({ ...importCounts(1_999, 0, 1), variants: 4_000, rows: 4_000 }),
    );
    await importFile(shop, large(1)); // caches the business for 5 s
    const one = await importFile(shop, large(1));
    const again = await importFile(shop, large(2_000));
    expect(again.body).toMatchObject(success(importCounts(0, 0, 2_000)));
    const chunks = 1 + roundTrips(again).d1 - roundTrips(one).d1;
    expect(chunks).toBeLessThanOrEqual(8);
    expect(roundTrips(first).d1 - roundTrips(again).d1).toBe(chunks);
  });

  it("imports a product that does not fit into one statement", async () => {
    const shop = await createBusiness();
    const sizes = Array.from(
      { length: 2_400 },
      (_, at) => `${at},${`${at}`.padEnd(250, "x")},5,1.00`,
    );
    const response = await importFile(shop, mugCsv(...sizes));
    expect(response.body).toMatchObject(
      success({ ...importCounts(1, 0, 0), variants: 2_400, rejected: [] }),
    );
    expect((await importFile(shop, mugCsv(...sizes))).body).toMatchObject(
      success(importCounts(0, 0, 1)),
    );
    expect(await selectProductRows(shop)).toHaveLength(2_400);
  });

  it("completes an interrupted import when the same file is sent again", async () => {
    const [shop, whole] = [await createBusiness(), await createBusiness()];
    const file = large(1_200);
    const attempt = importProducts(contextFor(shop), createBrokenStream(file, 0.9), {
      isDryRun: false,
    });
    await expect(attempt).rejects.toThrow("connection lost");
    const { products } = await countBusinessRows(shop);
    expect(products).toBeGreaterThan(0);
    expect(products).toBeLessThan(1_200);
    expect(await selectImports(shop)).toMatchObject([{ result: null, finished_at: null }]);

    expect((await importFile(shop, file)).body).toMatchObject(
      success(importCounts(1_200 - Number(products), 0, Number(products))),
    );
    await importFile(whole, file);
    expect(await selectProductRows(shop)).toEqual(await selectProductRows(whole));
  });

  function createBrokenStream(file: string, share: number): ReadableStream<Uint8Array> {
    function* chunks(): Generator<Uint8Array> {
      const bytes = encode(file);
      for (let start = 0; start < bytes.length * share; start += 4_096) {
        yield bytes.subarray(start, start + 4_096);
      }
      throw new Error("connection lost");
    }
    return createStream(chunks());
  }

  it("creates each product once when two imports run concurrently", async () => {
    const shop = await createBusiness();
    const responses = await Promise.all([importFile(shop, large(20)), importFile(shop, large(20))]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await selectProductRows(shop)).toHaveLength(40);
  });
});

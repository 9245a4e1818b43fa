import { describe, expect, it } from "vitest";
import { importProducts } from "../../shared/transfer/index.ts";
import { bytesOf, streamOf } from "../catalogue/csv/support.ts";
import { tracesOf } from "../support/traces.ts";
import { contextFor, givenBusiness, merchant, roundTrips } from "../support/world.ts";
import {
  contentsOf,
  counts,
  fileOf,
  header,
  importsOf,
  mugs,
  productRowsOf,
  sent,
} from "./files.ts";
import { givenKey, refusal, success } from "./given.ts";

describe("a file that is refused", () => {
  const form = (...files: string[]) => {
    const data = new FormData();
    files.forEach((file, index) => {
      data.append(`file${index}`, new File([file], "products.csv"));
    });
    return data;
  };

  it.each([
    { what: "no CSV", raw: "{}", type: "text/csv", field: "file" },
    { what: "without the columns", raw: "Handle,Title\na,A\n", type: "text/csv", field: "file" },
    { what: "empty", raw: "", type: "text/csv", field: "file" },
    { what: "JSON", raw: "{}", type: "application/json", field: "content-type" },
    { what: "no form", raw: "x", type: "multipart/form-data; boundary=y", field: "file" },
    {
      what: "a form without its boundary",
      raw: "x",
      type: "multipart/form-data; a=b",
      field: "file",
    },
    { what: "a form without a file", raw: form(), type: null, field: "file" },
    { what: "a form of two files", raw: form(header, header), type: null, field: "file" },
  ])("as $what leaves nothing", async ({ raw, type, field }) => {
    const shop = await givenBusiness();
    const before = await contentsOf(shop);
    const answer = await merchant(shop)("POST", "/imports", {
      raw,
      headers: type === null ? {} : { "Content-Type": type },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await contentsOf(shop)).toEqual(before);
    expect(await importsOf(shop)).toEqual([]);
  });

  it("comes without the scope", async () => {
    const shop = await givenBusiness();
    const headers = { "X-API-Key": await givenKey(shop, { scopes: ["catalogue:read"] }) };
    const answer = await merchant(shop)("POST", "/imports", { raw: mugs("S,,1,1.00"), headers });
    expect(answer.status).toBe(403);
    expect((await merchant(shop)("GET", "/exports/products", { headers })).status).toBe(200);
  });

  it("is larger than 20 MiB by its length: nothing is read", async () => {
    const shop = await givenBusiness();
    const answer = await sent(shop, new Uint8Array(20 * 1024 * 1024 + 1));
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR"));
    expect(await importsOf(shop)).toEqual([]);
  });

  it.each(["text/csv", "multipart/form-data; boundary=x"])(
    "turns out to be larger than 20 MiB while %s is read: 413",
    async (type) => {
      const shop = await givenBusiness();
      const answer = await merchant(shop)("POST", "/imports", {
        raw: streamOf(endless()),
        headers: { "Content-Type": type },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(413);
      expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR"));
      const { products } = await tracesOf(shop);
      if (type === "text/csv") expect(products).toBe(1_000);
      else expect(products).toBe(0);
    },
  );

  function* endless(): Generator<Uint8Array> {
    yield bytesOf(header);
    const rows = Array.from({ length: 1_010 }, (_, at) => `p${at},P${at},,true,,,,,1.00`);
    yield bytesOf(`\n${rows.join("\n")}\n`);
    const blank = bytesOf(`${"\n".repeat(1024 * 1024)}`);
    for (let mebibytes = 0; mebibytes < 21; mebibytes += 1) yield blank;
  }
});

describe("a large file", () => {
  const large = (count: number) =>
    fileOf(
      ...Array.from({ length: count }, (_, at) => [
        `product-${at},Product ${at},"a, b",true,Size,S,P${at}-S,5,1.00`,
        `product-${at},,,,,L,P${at}-L,5,2.00`,
      ]).flat(),
    );

  it("takes two round trips a chunk, however many products are in it, and one for what is unchanged", async () => {
    const shop = await givenBusiness();
    await sent(shop, large(1));
    const first = await sent(shop, large(2_000));
    expect(first.body).toMatchObject(
      success({ ...counts(1_999, 0, 1), variants: 4_000, rows: 4_000 }),
    );
    await sent(shop, large(1)); // reads the business again, which is remembered for 5 s
    const one = await sent(shop, large(1));
    const again = await sent(shop, large(2_000));
    expect(again.body).toMatchObject(success(counts(0, 0, 2_000)));
    const chunks = 1 + roundTrips(again).d1 - roundTrips(one).d1;
    expect(chunks).toBeLessThanOrEqual(8);
    expect(roundTrips(first).d1 - roundTrips(again).d1).toBe(chunks);
  });

  it("may hold a product of more than one statement takes", async () => {
    const shop = await givenBusiness();
    const sizes = Array.from(
      { length: 2_400 },
      (_, at) => `${at},${`${at}`.padEnd(250, "x")},5,1.00`,
    );
    const answer = await sent(shop, mugs(...sizes));
    expect(answer.body).toMatchObject(
      success({ ...counts(1, 0, 0), variants: 2_400, rejected: [] }),
    );
    expect((await sent(shop, mugs(...sizes))).body).toMatchObject(success(counts(0, 0, 1)));
    expect(await productRowsOf(shop)).toHaveLength(2_400);
  });

  it("that breaks off is completed by the same file", async () => {
    const [shop, whole] = [await givenBusiness(), await givenBusiness()];
    const file = large(1_200);
    const attempt = importProducts(contextFor(shop), brokenOff(file, 0.9), { isDryRun: false });
    await expect(attempt).rejects.toThrow("connection lost");
    const { products } = await tracesOf(shop);
    expect(products).toBeGreaterThan(0);
    expect(products).toBeLessThan(1_200);
    expect(await importsOf(shop)).toMatchObject([{ result: null, finished_at: null }]);

    expect((await sent(shop, file)).body).toMatchObject(
      success(counts(1_200 - Number(products), 0, Number(products))),
    );
    await sent(whole, file);
    expect(await productRowsOf(shop)).toEqual(await productRowsOf(whole));
  });

  function brokenOff(file: string, share: number): ReadableStream<Uint8Array> {
    function* pieces(): Generator<Uint8Array> {
      const bytes = bytesOf(file);
      for (let start = 0; start < bytes.length * share; start += 4_096) {
        yield bytes.subarray(start, start + 4_096);
      }
      throw new Error("connection lost");
    }
    return streamOf(pieces());
  }

  it("loses a race with nobody: of two at once each product is there once", async () => {
    const shop = await givenBusiness();
    const answers = await Promise.all([sent(shop, large(20)), sent(shop, large(20))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await productRowsOf(shop)).toHaveLength(40);
  });
});

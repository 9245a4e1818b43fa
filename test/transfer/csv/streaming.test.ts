import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProducts } from "../../../shared/transfer/csv/read-products.ts";
import { bakery, bakeryWithMistakes, createStream, encode, readChunks } from "./support.ts";

function* splitAt(bytes: Uint8Array, offsets: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (const to of [...offsets.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

describe("readProducts, streaming", () => {
  it.each([
    ["the bakery", bakery],
    ["the mistakes", bakeryWithMistakes],
    ["an unclosed quote", `\ufeff${bakeryWithMistakes}z,"Z`],
  ])("reads %s identically however its bytes are split into chunks", async (_, text) => {
    const bytes = encode(text);
    const whole = await readChunks([bytes]);
    const offsets = fc.array(fc.nat({ max: bytes.length }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(offsets, async (chosen) => {
        expect(await readChunks(splitAt(bytes, chosen))).toEqual(whole);
      }),
      { seed: 20261117, numRuns: 60 },
    );
    expect(await readChunks(splitAt(bytes, [...bytes.keys()]))).toEqual(whole);
  });

  it("reads a file of 20 MiB and pulls bytes only as products are consumed", async () => {
    const rows = 80_000;
    const description = "Rye, water, salt. ".repeat(15);
    let createdRows = 0;
    let bytes = 0;
    const chunks = function* () {
      yield encode("Handle,Title,Variant Price,Body (HTML)\n");
      for (; createdRows < rows; createdRows += 100) {
        const lines = Array.from(
          { length: 100 },
          (_, index) => `loaf-${createdRows + index},Loaf,4.20,"${description}"\n`,
        );
        const chunk = encode(lines.join(""));
        bytes += chunk.byteLength;
        yield chunk;
      }
    };
    let consumed = 0;
    let furthestAhead = 0;
    for await (const result of readProducts(createStream(chunks()), { currency: "EUR" })) {
      expect(result.kind).toBe("product");
      consumed += 1;
      furthestAhead = Math.max(furthestAhead, createdRows - consumed);
    }
    expect(consumed).toBe(rows);
    expect(bytes).toBeGreaterThan(20 * 2 ** 20);
    expect(furthestAhead).toBeLessThan(500);
  });

  it("cancels the stream when the consumer stops early", async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(encode(bakery));
      },
      cancel() {
        isCancelled = true;
      },
    });
    for await (const result of readProducts(stream, { currency: "EUR" })) {
      if (result.kind === "product") break;
    }
    expect(isCancelled).toBe(true);
  });
});

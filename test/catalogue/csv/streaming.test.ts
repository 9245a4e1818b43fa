import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProducts } from "../../../shared/catalogue/csv/read-products.ts";
import { bakery, bakeryWithMistakes, bytesOf, read, streamOf } from "./support.ts";

function* splitAt(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (const to of [...places.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

describe("streaming", () => {
  it.each([
    ["the bakery", bakery],
    ["the mistakes", bakeryWithMistakes],
    ["an unclosed quote", `\ufeff${bakeryWithMistakes}z,"Z`],
  ])("reads %s alike however its bytes are split", async (_, text) => {
    const bytes = bytesOf(text);
    const whole = await read([bytes]);
    const places = fc.array(fc.nat({ max: bytes.length }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(await read(splitAt(bytes, at))).toEqual(whole);
      }),
      { seed: 20261117, numRuns: 60 },
    );
    expect(await read(splitAt(bytes, [...bytes.keys()]))).toEqual(whole);
  });

  it("passes a file of 20 MiB through, asking for bytes only as products are taken", async () => {
    const rows = 80_000;
    const description = "Rye, water, salt. ".repeat(15);
    let made = 0;
    let bytes = 0;
    const chunks = function* () {
      yield bytesOf("Handle,Title,Variant Price,Body (HTML)\n");
      for (; made < rows; made += 100) {
        const lines = Array.from(
          { length: 100 },
          (_, at) => `loaf-${made + at},Loaf,4.20,"${description}"\n`,
        );
        const chunk = bytesOf(lines.join(""));
        bytes += chunk.byteLength;
        yield chunk;
      }
    };
    let taken = 0;
    let furthestAhead = 0;
    for await (const outcome of readProducts(streamOf(chunks()), { currency: "EUR" })) {
      expect(outcome.kind).toBe("product");
      taken += 1;
      furthestAhead = Math.max(furthestAhead, made - taken);
    }
    expect(taken).toBe(rows);
    expect(bytes).toBeGreaterThan(20 * 2 ** 20);
    expect(furthestAhead).toBeLessThan(500);
  });

  it("lets go of the stream when the reader stops early", async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytesOf(bakery));
      },
      cancel() {
        isCancelled = true;
      },
    });
    for await (const outcome of readProducts(stream, { currency: "EUR" })) {
      if (outcome.kind === "product") break;
    }
    expect(isCancelled).toBe(true);
  });
});

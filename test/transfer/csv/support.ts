/// <reference types="vite/client" />
import type { CsvResult, ImportedProduct } from "../../../shared/transfer/csv/csv-product.ts";
import { readProducts } from "../../../shared/transfer/csv/read-products.ts";
import type { RejectedRow } from "../../../shared/transfer/csv/rejected-row.ts";
import bakery from "../../fixtures/bakery.csv?raw";
import bakeryWithMistakes from "../../fixtures/bakery-with-mistakes.csv?raw";

export { bakery, bakeryWithMistakes };

export const encode = (text: string) => new TextEncoder().encode(text);

/** A stream that takes each chunk only when the reader pulls it. */
export const createStream = (chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const source = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
};

export async function readChunks(
  chunks: Iterable<Uint8Array>,
  currency = "EUR",
): Promise<CsvResult[]> {
  const results: CsvResult[] = [];
  for await (const result of readProducts(createStream(chunks), { currency })) results.push(result);
  return results;
}

export const readText = (text: string, currency?: string) => readChunks([encode(text)], currency);

export const productsIn = (results: readonly CsvResult[]): ImportedProduct[] =>
  results.flatMap((result) => (result.kind === "product" ? [result.product] : []));

export const rejectedIn = (results: readonly CsvResult[]): RejectedRow[] =>
  results.flatMap((result) => (result.kind === "rejected" ? [result] : []));

/// <reference types="vite/client" />
import type {
  ImportedProduct,
  ReadProduct,
  RejectedRow,
} from "../../../shared/catalogue/csv/imported-product.ts";
import { readProducts } from "../../../shared/catalogue/csv/read-products.ts";
import bakery from "../../fixtures/bakery.csv?raw";
import bakeryWithMistakes from "../../fixtures/bakery-with-mistakes.csv?raw";

export { bakery, bakeryWithMistakes };

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The chunks one by one, each only when it is asked for. */
export const streamOf = (chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const source = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
};

export async function read(chunks: Iterable<Uint8Array>, currency = "EUR"): Promise<ReadProduct[]> {
  const outcomes: ReadProduct[] = [];
  for await (const outcome of readProducts(streamOf(chunks), { currency })) outcomes.push(outcome);
  return outcomes;
}

export const readText = (text: string, currency?: string) => read([bytesOf(text)], currency);

export const draftsOf = (outcomes: readonly ReadProduct[]): ImportedProduct[] =>
  outcomes.flatMap((outcome) => (outcome.kind === "product" ? [outcome.draft] : []));

export const rejectedOf = (outcomes: readonly ReadProduct[]): RejectedRow[] =>
  outcomes.flatMap((outcome) => (outcome.kind === "rejected" ? [outcome] : []));

import { canonicalJson, invalid, sha256 } from "../../kernel/index.ts";
import type { Position, ProductFilters, ProductSort } from "./listing.ts";

/** The list that a cursor belongs to: whose, narrowed and sorted how. Another list's is foreign. */
export type ListIdentity = Readonly<{
  business: { id: string };
  filters: ProductFilters;
  sort: ProductSort;
}>;

const digestOf = async ({ business, filters, sort }: ListIdentity): Promise<string> =>
  (await sha256(canonicalJson({ business: business.id, filters, sort }))).slice(0, 16);

/** An opaque text that leads on behind `position` (completions.md 4). */
export async function writeCursor(list: ListIdentity, position: Position): Promise<string> {
  const text = JSON.stringify([await digestOf(list), ...position]);
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @throws Refusal VALIDATION_ERROR for what is no cursor, or one of another list. */
export async function readCursor(list: ListIdentity, cursor: string): Promise<Position> {
  const [digest, ...position] = decoded(cursor);
  if (digest !== (await digestOf(list)) || !isPositionIn(list.sort, position)) {
    throw invalid("cursor", "is not one that this list gave.");
  }
  return position;
}

function decoded(cursor: string): readonly unknown[] {
  try {
    const bytes = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // no text of ours
  }
}

/** Whether the values are of the order's kinds, so that a forged cursor is refused and not run. */
function isPositionIn({ by }: ProductSort, values: readonly unknown[]): values is Position {
  const kinds = [...sortKinds[by], "string"];
  return (
    values.length === kinds.length && values.every((value, index) => typeof value === kinds[index])
  );
}

const sortKinds = {
  name: ["string"],
  price: ["number"],
  created_at: ["number"],
  popularity: ["number"],
  relevance: ["number", "number"],
} as const satisfies Record<ProductSort["by"], readonly string[]>;

import { type Cart, emptyCart } from "../../../../shared/cart/index.ts";
import { idMaker } from "../../../../shared/kernel/index.ts";
import { timeOf } from "../../session-id.ts";

/**
 * A session's cart before anything of it is stored. It follows from the object's id, so that it bears
 * the same cart_id at every reading though no reading stores it; it tells nothing of the session's id.
 */
export function firstCart(object: DurableObjectId): Cart {
  const createdAt = timeOf(object.name ?? "");
  const derived = Uint8Array.from(object.toString().match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  );
  const newId = idMaker(
    () => createdAt,
    (bytes) => bytes.set(derived.subarray(0, bytes.length)),
  );
  return emptyCart(newId("cart"), createdAt);
}

import fc from "fast-check";
import { at } from "./cart-world.ts";
import type { Scene, Shopper } from "./scene.ts";

/** A step that can always be taken; its name tells all that was chosen. */
export const step = (name: string, run: (scene: Scene) => Promise<void>) => ({
  toString: () => name,
  run: (scene: Scene) => run(scene),
});

export type Step = ReturnType<typeof step>;

export const who = fc.constantFrom(0, 0, 0, 1);
export const shopperOf = ({ shoppers }: Scene, position: number): Shopper => at(shoppers, position);

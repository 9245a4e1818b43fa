import fc from "fast-check";
import type { Scene, Shopper } from "./scene.ts";
import { itemAt } from "./shop-under-test.ts";

/** A step that is always possible; its name shows all its parameters. */
export const createStep = (name: string, run: (scene: Scene) => Promise<void>) => ({
  toString: () => name,
  run: (scene: Scene) => run(scene),
});

export type Step = ReturnType<typeof createStep>;

export const shopperIndex = fc.constantFrom(0, 0, 0, 1);
export const shopperOf = ({ shoppers }: Scene, position: number): Shopper =>
  itemAt(shoppers, position);

import { z } from "zod";
import type { Place } from "./provider.ts";

const Coordinates = z
  .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
  .transform(({ latitude, longitude }) => ({ lat: latitude, lng: longitude }));

const Answer = z.object({
  id: z.string(),
  formattedAddress: z.string(),
  addressComponents: z
    .array(
      z.object({
        longText: z.string(),
        shortText: z.string().optional(),
        types: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  location: Coordinates,
  viewport: z.object({ low: Coordinates, high: Coordinates }).optional(),
});

type Component = z.infer<typeof Answer>["addressComponents"][number];

/** A place of Google's answer, by the id that it was asked for; null for an answer that is none. */
export function placeFrom(placeId: string, json: unknown): Place | null {
  const { success, data } = Answer.safeParse(json);
  if (!success) return null;
  const { formattedAddress, addressComponents: components, location, viewport } = data;
  const named = (...types: string[]) => componentOf(components, types)?.longText ?? null;
  const country = componentOf(components, ["country"]);
  const street = [named("street_number"), named("route")].filter((part) => part !== null);
  return {
    placeId,
    formattedAddress,
    streetAddress: street.length > 0 ? street.join(" ") : null,
    city: named("locality", "postal_town", "administrative_area_level_2"),
    region: named("administrative_area_level_1"),
    country: country?.shortText ?? country?.longText ?? null,
    postalCode: named("postal_code"),
    location,
    viewport: viewport ?? null,
  };
}

/** Of several types the first that the place has. */
function componentOf(
  components: readonly Component[],
  types: readonly string[],
): Component | undefined {
  for (const type of types) {
    const found = components.find((component) => component.types.includes(type));
    if (found) return found;
  }
  return undefined;
}

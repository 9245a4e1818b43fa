import { z } from "zod";
import type { PlaceDetails } from "./provider.ts";

const Coordinates = z
  .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
  .transform(({ latitude, longitude }) => ({ lat: latitude, lng: longitude }));

const GooglePlace = z.object({
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

type Component = z.infer<typeof GooglePlace>["addressComponents"][number];

/**
 * Parses Google's response into a place with the requested id. Returns null for an invalid
 * response.
 */
export function parseGooglePlace(placeId: string, json: unknown): PlaceDetails | null {
  const { success, data } = GooglePlace.safeParse(json);
  if (!success) return null;
  const { formattedAddress, addressComponents: components, location, viewport } = data;
  const nameOf = (...types: string[]) => findComponent(components, types)?.longText ?? null;
  const country = findComponent(components, ["country"]);
  const street = [nameOf("street_number"), nameOf("route")].filter((part) => part !== null);
  return {
    placeId,
    formattedAddress,
    streetAddress: street.length > 0 ? street.join(" ") : null,
    city: nameOf("locality", "postal_town", "administrative_area_level_2"),
    region: nameOf("administrative_area_level_1"),
    country: country?.shortText ?? country?.longText ?? null,
    postalCode: nameOf("postal_code"),
    location,
    viewport: viewport ?? null,
  };
}

/** The first component that has one of the types. Earlier types are preferred. */
function findComponent(
  components: readonly Component[],
  types: readonly string[],
): Component | undefined {
  for (const type of types) {
    const found = components.find((component) => component.types.includes(type));
    if (found) return found;
  }
  return undefined;
}

import type { Business } from "../../sdk/src/index.ts";
import { demoImages } from "./demo-images.ts";

const openDay = [{ open: "09:00", close: "18:00" }];

const hours = {
  tue: openDay,
  wed: openDay,
  thu: [{ open: "10:00", close: "20:00" }],
  fri: openDay,
  sat: [{ open: "09:00", close: "14:00" }],
};

type Length = Readonly<{ name: string; adjustment: string; minutes: number }>;

const services: readonly Readonly<{
  name: string;
  description: string;
  price: string;
  picture: string;
  lengths: readonly Length[];
}>[] = [
  {
    name: "Cut and Finish",
    description: "A talk, a wash, a cut, and a finish you can repeat at home.",
    price: "42.00",
    picture: "haircut",
    lengths: [
      { name: "Short hair", adjustment: "0.00", minutes: 45 },
      { name: "Long hair", adjustment: "14.00", minutes: 75 },
    ],
  },
  {
    name: "Braids",
    description: "Box braids or cornrows, parted by hand; hair is included.",
    price: "95.00",
    picture: "braids",
    lengths: [
      { name: "Shoulder", adjustment: "0.00", minutes: 150 },
      { name: "Waist", adjustment: "45.00", minutes: 240 },
    ],
  },
  {
    name: "Manicure",
    description: "Shaped, cared for, and lacquered in one of sixty colours.",
    price: "29.00",
    picture: "manicure",
    lengths: [{ name: "Classic", adjustment: "0.00", minutes: 40 }],
  },
  {
    name: "Quiet Hour",
    description: "Back and shoulders, warm oil, no conversation unless you start it.",
    price: "64.00",
    picture: "massage",
    lengths: [{ name: "60 minutes", adjustment: "0.00", minutes: 60 }],
  },
];

/** Seeds the salon: its opening hours, and services whose variants have different durations. */
export async function seedSalon(
  shop: Business,
  { locationId }: { locationId: string },
): Promise<void> {
  const [hair, care] = await Promise.all([
    shop.categories.create({ name: "Hair", sort_order: 1 }),
    shop.categories.create({ name: "Care", sort_order: 2 }),
    shop.locations.update(locationId, { operating_hours: hours }),
  ]);
  await Promise.all(
    services.map(({ name, description, price, picture, lengths }, index) =>
      shop.services.create({
        name,
        description,
        duration_minutes: lengths[0]?.minutes ?? 60,
        buffer_minutes: 10,
        capacity: 1,
        slot_interval_minutes: 15,
        min_notice_minutes: 60,
        cancellation_notice_minutes: 24 * 60,
        category_id: (index < 2 ? hair : care).data.id,
        default_price: price,
        images: demoImages(`salon/${picture}`),
        variants: lengths.map(({ name, adjustment, minutes }, position) => ({
          name,
          price_adjustment: adjustment,
          is_default: position === 0,
          duration_minutes: minutes,
        })),
      }),
    ),
  );
}

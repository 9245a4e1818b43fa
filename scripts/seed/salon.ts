import type { Business } from "../../sdk/src/index.ts";
import { demoImages } from "./demo-images.ts";

const openDay = [{ open: "09:00", close: "18:00" }];

const hours = {
  mon: openDay,
  tue: openDay,
  wed: openDay,
  thu: [{ open: "10:00", close: "20:00" }],
  fri: openDay,
  sat: [{ open: "09:00", close: "14:00" }],
  sun: [{ open: "11:00", close: "16:00" }],
};

const staffNames = ["Katrin", "Bilal", "Sofia"] as const;
type StaffName = (typeof staffNames)[number];

type Length = Readonly<{ name: string; adjustment: string; minutes: number }>;

const services: readonly Readonly<{
  name: string;
  description: string;
  price: string;
  picture: string;
  /** Who provides it, and what it needs. */
  staff: readonly StaffName[];
  resource?: "Massage room";
  lengths: readonly Length[];
}>[] = [
  {
    name: "Cut and Finish",
    description: "A talk, a wash, a cut, and a finish you can repeat at home.",
    price: "42.00",
    picture: "haircut",
    staff: ["Katrin", "Bilal"],
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
    staff: ["Bilal", "Sofia"],
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
    staff: ["Sofia"],
    lengths: [{ name: "Classic", adjustment: "0.00", minutes: 40 }],
  },
  {
    name: "Quiet Hour",
    description: "Back and shoulders, warm oil, no conversation unless you start it.",
    price: "64.00",
    picture: "massage",
    staff: ["Katrin", "Sofia"],
    resource: "Massage room",
    lengths: [{ name: "60 minutes", adjustment: "0.00", minutes: 60 }],
  },
];

/** Seeds the salon: its hours, staff and room, and services whose variants have different durations. */
export async function seedSalon(
  shop: Business,
  { locationId }: { locationId: string },
): Promise<void> {
  const [hair, care, room, staff] = await Promise.all([
    shop.categories.create({ name: "Hair", sort_order: 1 }),
    shop.categories.create({ name: "Care", sort_order: 2 }),
    shop.resources.create({ name: "Massage room" }),
    Promise.all(staffNames.map((name) => createStaffMember(shop, name))),
    shop.locations.update(locationId, { operating_hours: hours }),
    createHairOil(shop, locationId),
  ]);
  await Promise.all(
    services.map(({ name, description, price, picture, lengths, resource, ...service }, index) =>
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
        staff_ids: staff.filter((one) => service.staff.includes(one.name)).map(({ id }) => id),
        resource_ids: resource ? [room.data.id] : [],
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

/** Katrin works whenever the salon is open, Bilal not on Saturdays, and Sofia has a day off soon. */
async function createStaffMember(shop: Business, name: StaffName) {
  const { sat: _, ...weekdays } = hours;
  const { data } = await shop.staff.create({
    name,
    ...(name === "Bilal" && { hours: weekdays }),
    ...(name === "Sofia" && { time_off: [{ date: dayFromNow(20), reason: "Holiday" }] }),
  });
  return { id: data.id, name };
}

const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** Something to take home, of which little is left. */
async function createHairOil(shop: Business, locationId: string): Promise<void> {
  const { data } = await shop.products.create({
    product_type: "product",
    name: "Hair Oil, 100 ml",
    description: "Almond and rosemary, for the tips.",
    default_price: "18.00",
    inventory_type: "tracked",
  });
  await shop.inventory.setStockLevel(data.id, locationId, { quantity_on_hand: 3 });
}

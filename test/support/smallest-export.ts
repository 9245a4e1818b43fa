import { defaultSettings } from "../../shared/businesses/index.ts";

const setup = {
  currency: "GHS",
  default_country: "GH",
  timezone: "Africa/Accra",
  settings: defaultSettings,
};
const location = {
  id: "loc_01k4m9k6z0000000000000000d",
  name: "Osu",
  address: null,
  timezone: "Africa/Accra",
  operating_hours: {},
  closures: [],
  is_default: true,
  offers_pickup: false,
  pickup_instructions: null,
  archived_at: null,
  created_at: 1_767_225_600_000,
};

/** The file of a business that has nothing but its location. */
export const smallestExport = [
  { duka_export: 1, exported_at: "2026-01-01T00:00:00.000Z", business: setup },
  { table: "locations", row: location },
  { end: { rows: 1, tables: { locations: 1 } } },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

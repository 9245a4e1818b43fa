import { useShop } from "../../../api/shop.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CheckList } from "../../../ui/check-list.tsx";
import { countries } from "../../../ui/countries.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Checkbox, Select, TextField } from "../../../ui/field.tsx";
import { createRowKey } from "../../../ui/row-key.ts";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import type { DeliveryZone } from "./method-values.ts";
import "./delivery.css";

type Area = Readonly<{ key: string; country: string; regions: string; prefixes: string }>;

const toAreas = (zone: DeliveryZone | undefined): readonly Area[] =>
  zone?.areas.map((area) => ({
    key: createRowKey(),
    country: area.country,
    regions: area.regions.join(", "),
    prefixes: area.postal_code_prefixes.join(", "),
  })) ?? [emptyArea()];

const emptyArea = (): Area => ({ key: createRowKey(), country: "", regions: "", prefixes: "" });

const partsOf = (text: string): readonly string[] =>
  text.split(",").flatMap((part) => part.trim() || []);

/** Adds a delivery zone, or changes one. */
export function ZoneDialog({
  zone,
  onClose,
}: Readonly<{ zone: DeliveryZone | undefined; onClose: () => void }>) {
  const { api, membership } = useShop();
  const done = useDone();
  const form = useForm(
    {
      name: zone?.name ?? "",
      areas: toAreas(zone),
      location_ids: zone?.location_ids ?? [],
      is_active: zone?.is_active ?? true,
    },
    async ({ areas, location_ids: locationIds, ...values }) => {
      const input = {
        ...values,
        location_ids: locationIds.length > 0 ? locationIds : null,
        areas: areas.map(({ country, regions, prefixes }) => ({
          country,
          regions: partsOf(regions),
          postal_code_prefixes: partsOf(prefixes),
        })),
      };
      if (zone) await api.delivery.updateZone(zone.id, input);
      else await api.delivery.createZone(input);
      await done(`${values.name} is saved.`);
    },
  );
  const { areas } = form.values;
  const change = (key: string, changes: Partial<Area>) =>
    form.change({
      areas: areas.map((area) => (area.key === key ? { ...area, ...changes } : area)),
    });
  return (
    <FormDialog
      title={zone ? `Edit ${zone.name}` : "New delivery zone"}
      action="Save"
      isWide
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
      <fieldset className="field stack">
        <legend>Areas</legend>
        {areas.map((area, index) => (
          <div key={area.key} className="area">
            <Select
              label="Country"
              options={[{ value: "", name: "Choose" }, ...countries]}
              value={area.country}
              error={form.errorAt(`areas.${index}.country`)}
              onChange={(country) => change(area.key, { country })}
            />
            <TextField
              label="Regions"
              hint="Separated by commas. Left empty, all of them."
              value={area.regions}
              error={errorOfPart(form.errors, `areas.${index}.regions`)}
              onChange={(regions) => change(area.key, { regions })}
            />
            <TextField
              label="Postal codes begin with"
              hint="Separated by commas. Left empty, all of them."
              value={area.prefixes}
              error={errorOfPart(form.errors, `areas.${index}.postal_code_prefixes`)}
              onChange={(prefixes) => change(area.key, { prefixes })}
            />
            <IconButton
              icon="trash"
              label={`Remove area ${index + 1}`}
              disabled={areas.length === 1}
              onClick={() => form.change({ areas: areas.filter(({ key }) => key !== area.key) })}
            />
          </div>
        ))}
        <div className="row">
          <Button icon="plus" onClick={() => form.change({ areas: [...areas, emptyArea()] })}>
            Add area
          </Button>
        </div>
      </fieldset>
      {membership.locations.length > 1 && (
        <CheckList
          label="Locations that ship there"
          hint="Left empty, all locations."
          options={membership.locations.map(({ id, name }) => ({ value: id, name }))}
          {...form.field("location_ids")}
        />
      )}
      <Checkbox label="The shop delivers there now" {...form.field("is_active")} />
    </FormDialog>
  );
}

/** The first error of a list or of one of its parts, which are one text here. */
const errorOfPart = (errors: Readonly<Record<string, string>>, path: string): string | undefined =>
  Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];

import { Card } from "../../../ui/card.tsx";
import { Closures } from "../../../ui/closures.tsx";
import { countries } from "../../../ui/countries.ts";
import { Checkbox, Select, TextArea, TextField } from "../../../ui/field.tsx";
import type { FormPart } from "../../../ui/use-form.ts";
import { WeekHours } from "../../../ui/week-hours.tsx";
import { addressFields, type LocationValues } from "./location-values.ts";

type LocationFieldsProps = Readonly<{
  form: FormPart<LocationValues>;
  /** Whether it is the default already. Another one has to become it. */
  isDefault: boolean;
}>;

const zones = Intl.supportedValuesOf("timeZone").map((value) => ({
  value,
  name: value.replaceAll("_", " "),
}));

export function LocationFields({ form, isDefault }: LocationFieldsProps) {
  const { values, field, errorAt, change } = form;
  const { address } = values;
  return (
    <>
      <Card title="Location">
        <div className="fields">
          <TextField label="Name" required maxLength={200} isWhole {...field("name")} />
          {addressFields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              maxLength={name === "postal_code" ? 20 : 200}
              value={address[name]}
              error={errorAt(`address.${name}`)}
              onChange={(text) => change({ address: { ...address, [name]: text } })}
            />
          ))}
          <Select
            label="Country"
            options={[{ value: "", name: "Not set" }, ...countries]}
            value={address.country}
            error={errorAt("address.country")}
            onChange={(country) => change({ address: { ...address, country } })}
          />
          <Select
            label="Time zone"
            options={withOption(zones, values.timezone)}
            {...field("timezone")}
          />
          {!isDefault && (
            <Checkbox
              label="Default location"
              hint="It takes this from the present default."
              {...field("is_default")}
            />
          )}
        </div>
      </Card>
      <Card title="Opening hours">
        <WeekHours
          label="Opening hours"
          value={values.operating_hours}
          onChange={(hours) => change({ operating_hours: hours })}
          errorAt={(path) => errorAt(`operating_hours.${path}`)}
        />
      </Card>
      <Card title="Closed days">
        <Closures
          action="Add closed days"
          value={values.closures}
          onChange={(closures) => change({ closures })}
          errorAt={(path) => errorAt(`closures.${path}`)}
        />
      </Card>
      <Card title="Pickup">
        <div className="stack">
          <Checkbox label="Shoppers can collect orders here" {...field("offers_pickup")} />
          {values.offers_pickup && (
            <TextArea
              label="Instructions"
              hint="Shown with the pickup option, such as where to ring."
              rows={2}
              maxLength={2000}
              {...field("pickup_instructions")}
            />
          )}
        </div>
      </Card>
    </>
  );
}

/** A zone such as UTC, which browsers know and do not list. */
const withOption = (options: typeof zones, value: string) =>
  options.some((option) => option.value === value) ? options : [{ value, name: value }, ...options];

import { useShop } from "../../../api/shop.ts";
import { CheckList } from "../../../ui/check-list.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import type { Form } from "../../../ui/use-form.ts";
import { useFormat } from "../../../ui/use-format.ts";
import { durationText, type ServiceRecord } from "../../services/service.ts";
import { type BookingValues, serviceChoice } from "./booking-values.ts";

type FieldsProps = Readonly<{
  form: Form<BookingValues>;
  services: readonly ServiceRecord[];
}>;

/** What is booked: the service and the choices that it offers. */
export function BookedServiceFields({ form, services }: FieldsProps) {
  const { membership } = useShop();
  const format = useFormat();
  const { values } = form;
  const service = services.find(({ id }) => id === values.service_id);
  if (!service) return null;
  const variants = service.variants.filter((one) => one.is_active);
  const locations = membership.locations.filter(({ id }) => service.location_ids.includes(id));
  return (
    <>
      <div className="fields">
        <Select
          label="Service"
          isWhole
          options={services.map((one) => ({
            value: one.id,
            name: `${one.name} · ${format.money(one.price)} · ${durationText(one.duration_minutes)}`,
          }))}
          {...form.field("service_id")}
          onChange={(id) =>
            form.change(
              serviceChoice(
                services.find((one) => one.id === id),
                { staffId: values.staff_id, locations: membership.locations },
              ),
            )
          }
        />
        {variants.length > 1 && (
          <Select
            label="Variant"
            options={variants.map(
              ({ id, name, price_adjustment: more, duration_minutes: own }) => ({
                value: id,
                name: [
                  name,
                  Number(more) !== 0 && `${Number(more) > 0 ? "+" : ""}${format.money(more)}`,
                  own !== null && durationText(own),
                ]
                  .filter(Boolean)
                  .join(" · "),
              }),
            )}
            {...form.field("variant_id")}
          />
        )}
        {locations.length > 1 && (
          <Select
            label="Location"
            options={locations.map(({ id, name }) => ({ value: id, name }))}
            {...form.field("location_id")}
          />
        )}
        {service.staff.length > 0 && (
          <Select
            label="Staff"
            options={[
              { value: "", name: "Anyone who is free" },
              ...service.staff.map(({ id, name }) => ({ value: id, name })),
            ]}
            {...form.field("staff_id")}
          />
        )}
        {service.capacity > 1 && (
          <TextField label="People" type="number" required {...form.field("participant_count")} />
        )}
      </div>
      {service.add_ons.map((group) => (
        <AddOnField key={group.id} form={form} group={group} />
      ))}
    </>
  );
}

type AddOnFieldProps = Readonly<{
  form: Form<BookingValues>;
  group: ServiceRecord["add_ons"][number];
}>;

/** The options of a group of add-ons: one of them, or any number. */
function AddOnField({ form, group }: AddOnFieldProps) {
  const format = useFormat();
  const options = group.options.map(({ id, name, price }) => ({
    value: id,
    name: Number(price) === 0 ? name : `${name} · ${format.money(price)}`,
  }));
  const own = new Set(options.map(({ value }) => value));
  const { value: all, error } = form.field("add_on_options");
  const chosen = all.filter((id) => own.has(id));
  const choose = (ids: readonly string[]) =>
    form.change({ add_on_options: [...all.filter((id) => !own.has(id)), ...ids] });
  if (group.selection_type === "multiple") {
    return (
      <CheckList
        label={group.name}
        options={options}
        value={chosen}
        onChange={choose}
        error={error}
      />
    );
  }
  return (
    <Select
      label={group.name}
      options={[...(group.is_required ? [] : [{ value: "", name: "None" }]), ...options]}
      value={chosen[0] ?? ""}
      onChange={(id) => choose(id === "" ? [] : [id])}
      error={error}
    />
  );
}

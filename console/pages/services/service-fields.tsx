import { Link } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import { Card } from "../../ui/card.tsx";
import { CheckList } from "../../ui/check-list.tsx";
import { Checkbox, MoneyField, type Option, TextArea, TextField } from "../../ui/field.tsx";
import type { Form } from "../../ui/use-form.ts";
import { durationText, type ServiceValues } from "./service.ts";
import { VariantsCard } from "./variants-card.tsx";

type Part = Readonly<{ form: Form<ServiceValues> }>;

export const ServiceFields = ({ form }: Part) => (
  <div className="columns">
    <div className="stack">
      <DescriptionCard form={form} />
      <LengthCard form={form} />
      <VariantsCard form={form} />
      <BookingCard form={form} />
    </div>
    <div className="stack">
      <NeedsCard form={form} />
    </div>
  </div>
);

function DescriptionCard({ form }: Part) {
  const { membership } = useShop();
  return (
    <Card title="Service">
      <div className="fields">
        <TextField label="Name" required maxLength={200} {...form.field("name")} />
        <MoneyField
          label="Price"
          currency={membership.currency}
          required
          {...form.field("default_price")}
        />
        <TextArea label="Description" maxLength={10_000} {...form.field("description")} />
        <Checkbox label="Shoppers can book it" {...form.field("is_active")} />
      </div>
    </Card>
  );
}

/** Says a number of minutes in hours, when that helps. */
const inHours = (minutes: string): string | undefined =>
  Number(minutes) >= 90 ? durationText(Number(minutes)) : undefined;

function LengthCard({ form }: Part) {
  const { duration_minutes: duration, slot_interval_minutes: interval } = form.values;
  return (
    <Card title="Time">
      <div className="fields">
        <TextField
          label="Length in minutes"
          type="number"
          required
          hint={inHours(duration)}
          {...form.field("duration_minutes")}
        />
        <TextField
          label="Pause afterwards in minutes"
          type="number"
          required
          hint="Staff and resources stay taken."
          {...form.field("buffer_minutes")}
        />
        <TextField
          label="Starts every … minutes"
          type="number"
          hint={interval === "" ? "Left empty, one follows the other." : undefined}
          {...form.field("slot_interval_minutes")}
        />
        <TextField label="People at a time" type="number" required {...form.field("capacity")} />
      </div>
    </Card>
  );
}

const BookingCard = ({ form }: Part) => (
  <Card title="Rules for shoppers">
    <div className="fields">
      <TextField
        label="Book at least … minutes before"
        type="number"
        required
        hint={inHours(form.values.min_notice_minutes)}
        {...form.field("min_notice_minutes")}
      />
      <TextField
        label="Book at most … days ahead"
        type="number"
        required
        {...form.field("booking_window_days")}
      />
      <TextField
        label="Cancel at least … minutes before"
        type="number"
        required
        hint={inHours(form.values.cancellation_notice_minutes)}
        {...form.field("cancellation_notice_minutes")}
      />
      <Checkbox
        label="Only for customers who are logged in"
        {...form.field("require_verified_contact")}
      />
    </div>
  </Card>
);

const toOptions = (records: readonly Readonly<{ id: string; name: string }>[]): readonly Option[] =>
  records.map(({ id, name }) => ({ value: id, name }));

function NeedsCard({ form }: Part) {
  const { api, membership } = useShop();
  const staff = useAll({
    key: ["staff"],
    list: () => api.staff.list({ limit: 100 }),
    select: toOptions,
  });
  const resources = useAll({
    key: ["resources"],
    list: () => api.resources.list({ limit: 100 }),
    select: toOptions,
  });
  return (
    <Card title="Needs">
      <div className="stack">
        <CheckList
          label="Staff"
          hint="A booking takes one of them who is free. Without staff it needs nobody."
          options={staff.data ?? []}
          empty={
            <Link to="/$businessId/staff/new" from="/$businessId">
              Add a staff member
            </Link>
          }
          {...form.field("staff_ids")}
        />
        <CheckList
          label="Resources"
          hint="A booking takes a unit of each for every person."
          options={resources.data ?? []}
          empty={
            <Link to="/$businessId/resources" from="/$businessId">
              Add a resource
            </Link>
          }
          {...form.field("resource_ids")}
        />
        <CheckList
          label="Locations"
          options={toOptions(membership.locations)}
          {...form.field("location_ids")}
        />
      </div>
    </Card>
  );
}

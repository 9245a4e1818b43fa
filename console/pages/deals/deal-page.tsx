import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { Card } from "../../ui/card.tsx";
import { changedFields } from "../../ui/changed-fields.ts";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Checkbox, TextArea, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import { CombinationCard, GroupsCard, LimitsCard, ScheduleCard } from "./conditions-cards.tsx";
import { DealBadge, describeDeal } from "./deal-state.tsx";
import { type Deal, emptyDeal, toDealFields, toDealValues } from "./deal-values.ts";
import { type DealForm, DiscountCard } from "./discount-card.tsx";

/** One deal with all that can be changed about it. */
export function DealPage() {
  const { api } = useShop();
  const { dealId } = useParams({ from: "/$businessId/deals/$dealId" });
  const query = useRecord({
    key: ["deals", dealId],
    get: (options) => api.deals.get(dealId, options),
  });
  return <Loaded query={query}>{(deal) => <DealEditor key={deal.id} deal={deal} />}</Loaded>;
}

function DealEditor({ deal }: Readonly<{ deal: Deal }>) {
  const { api, can, membership } = useShop();
  const format = useFormat();
  const navigate = useNavigate({ from: "/$businessId/deals/$dealId" });
  const { timezone } = membership;
  const toValues = (record: Deal) => toDealValues(record, timezone);
  const form = useRecordForm({
    key: ["deals", deal.id],
    record: deal,
    toValues,
    async save(values, first) {
      const fields = changedFields(toDealFields(first, timezone), toDealFields(values, timezone));
      return (await api.deals.update(deal.id, fields)).data;
    },
  });
  const isReadOnly = !can("catalogue:write");
  return (
    <>
      <PageHead title={deal.name} badges={<DealBadge deal={deal} />}>
        {!isReadOnly && (
          <ArchiveButton
            name={deal.name}
            archive={() => api.deals.archive(deal.id)}
            onArchived={() => navigate({ to: "/$businessId/deals", ignoreBlocker: true })}
          >
            It applies no longer. Orders that used it keep it.
          </ArchiveButton>
        )}
      </PageHead>
      <p className="muted">
        {describeDeal(deal, format)} · used {format.number(deal.times_redeemed)} times
      </p>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={isReadOnly}
        onDiscard={() => form.reset(toValues(deal))}
      >
        <DealCards form={form} />
      </EditorForm>
    </>
  );
}

/** The form of a deal that does not exist yet. */
export function NewDealPage() {
  const { id, api, membership } = useShop();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/$businessId/deals/new" });
  const form = useForm(emptyDeal, async (values) => {
    const { data: deal } = await api.deals.create(toDealFields(values, membership.timezone));
    await queryClient.invalidateQueries({ queryKey: [id, "deals"] });
    await navigate({
      to: "/$businessId/deals/$dealId",
      params: (before) => ({ ...before, dealId: deal.id }),
      ignoreBlocker: true,
      replace: true,
    });
  });
  return (
    <>
      <PageHead title="New deal" />
      <EditorForm form={form} action="Create deal" isNew>
        <DealCards form={form} />
      </EditorForm>
    </>
  );
}

const DealCards = ({ form }: Readonly<{ form: DealForm }>) => (
  <div className="columns">
    <div className="stack">
      <Card title="Details">
        <div className="fields">
          <TextField
            label="Name"
            required
            maxLength={200}
            hint="Shoppers see it beside the discount."
            {...form.field("name")}
          />
          <TextField
            label="Code"
            maxLength={64}
            hint="Left empty, the deal applies by itself."
            {...form.field("code")}
          />
          <TextArea
            label="Description"
            rows={2}
            maxLength={20_000}
            {...form.field("description")}
          />
          <Checkbox label="Active" {...form.field("is_active")} />
        </div>
      </Card>
      <DiscountCard form={form} />
      <LimitsCard form={form} />
    </div>
    <div className="stack">
      <ScheduleCard form={form} />
      <CombinationCard form={form} />
      <GroupsCard form={form} />
    </div>
  </div>
);

import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { NotesCard } from "../notes/notes-card.tsx";
import { BookingsCard } from "./bookings-card.tsx";
import { type Customer, nameOf } from "./customer.ts";
import { CustomerDialog } from "./customer-dialog.tsx";
import { GroupsCard } from "./groups-card.tsx";
import { OrdersCard } from "./orders-card.tsx";
import { PersonalDataCard } from "./personal-data-card.tsx";

/** One customer: contacts, what was ordered and booked, notes, groups and personal data. */
export function CustomerPage() {
  const { api } = useShop();
  const { customerId } = useParams({ from: "/$businessId/customers/$customerId" });
  const query = useRecord({
    key: ["customers", customerId],
    get: (options) => api.customers.get(customerId, options),
  });
  return <Loaded query={query}>{(customer) => <CustomerView customer={customer} />}</Loaded>;
}

function CustomerView({ customer }: Readonly<{ customer: Customer }>) {
  const { api, can } = useShop();
  const format = useFormat();
  const [isEditing, setIsEditing] = useState(false);
  const isErased = customer.erased_at !== null;
  return (
    <>
      <PageHead
        title={nameOf(customer)}
        badges={
          <>
            {customer.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
            {customer.is_tax_exempt && <Badge tone="info">Tax exempt</Badge>}
          </>
        }
      >
        {can("customers:write") && !isErased && (
          <Button icon="edit" onClick={() => setIsEditing(true)}>
            Edit
          </Button>
        )}
      </PageHead>
      <p className="muted">
        {isErased
          ? `Erased ${format.moment(customer.erased_at ?? "")}. The figures of orders stay.`
          : `Customer since ${format.date(customer.created_at)}`}
      </p>
      <div className="columns">
        <div className="stack">
          {can("orders:read") && <OrdersCard customerId={customer.id} />}
          {can("orders:read") && <BookingsCard customerId={customer.id} />}
          {!isErased && (
            <NotesCard
              subjectId={customer.id}
              list={() => api.customers.listNotes(customer.id, { limit: 50 })}
              add={(text) => api.customers.addNote(customer.id, { text })}
              writeScope="customers:write"
            />
          )}
        </div>
        <div className="stack">
          <ContactCard customer={customer} />
          {!isErased && <GroupsCard customer={customer} />}
          {!isErased && <PersonalDataCard customer={customer} />}
        </div>
      </div>
      {isEditing && <CustomerDialog customer={customer} onClose={() => setIsEditing(false)} />}
    </>
  );
}

function ContactCard({ customer }: Readonly<{ customer: Customer }>) {
  const { email, phone, pending_email: newEmail, pending_phone: newPhone } = customer;
  return (
    <Card title="Contact">
      {!email && !phone && <p className="muted">No e-mail address and no phone number.</p>}
      <dl className="facts">
        {email && (
          <Fact name="E-mail">
            <a href={`mailto:${email}`}>{email}</a>
            <Verified at={customer.email_verified_at} />
          </Fact>
        )}
        {newEmail && <Fact name="New e-mail">{newEmail} (to be verified)</Fact>}
        {phone && (
          <Fact name="Phone">
            <a href={`tel:${phone}`}>{phone}</a>
            <Verified at={customer.phone_verified_at} />
          </Fact>
        )}
        {newPhone && <Fact name="New phone">{newPhone} (to be verified)</Fact>}
      </dl>
    </Card>
  );
}

function Verified({ at }: Readonly<{ at: string | null }>) {
  const format = useFormat();
  return <p className="small muted">{at ? `Verified ${format.date(at)}` : "Not verified"}</p>;
}

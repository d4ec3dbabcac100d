import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paperWays } from '../../../../shared/paper-ways.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { IconPencil, IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { MoreMenu } from '../../../../ui/MoreMenu.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type CustomerContact, contactsApi } from '../contract.ts'
import { type ContactKind, contactKindLabels, contactKinds, contactRoleLabels, mostContacts } from '../rules.ts'
import { contactsQuery, useContacts } from './data.ts'

const ContactDialog = lazyPart(() => import('./ContactDialog.tsx').then((m) => m.ContactDialog))

type Customer = { id: string; name: string; gets: readonly ContactKind[] }

/** "Invoices and receipts by e-mail · Visit notices by text". */
const getsLine = (contact: CustomerContact): string =>
  contactKinds
    .flatMap((kind) => {
      const way = contact[`${kind}By`]
      return way ? [`${contactKindLabels[kind]} by ${paperWays[way].toLowerCase()}`] : []
    })
    .join(' · ')

/** Who else belongs to a customer, and what each of them gets. */
export const CustomerContacts = ({ customer }: { customer: Customer }) => {
  const found = useQuery(contactsQuery(customer.id))
  const may = useMay()
  const [shown, setShown] = useState<CustomerContact | 'new' | null>(null)
  const items = found.data?.items ?? []
  const left = contactKinds.filter((kind) => !customer.gets.includes(kind))
  return (
    <section className="panel-section" aria-label="Contacts">
      <header>
        <h3>Contacts</h3>
        {may(contactsApi.add) && found.data && items.length < mostContacts ? (
          <Button calls={contactsApi.add} size="s" kind="quiet" icon={<IconPlus />} onClick={() => setShown('new')}>
            Add a contact
          </Button>
        ) : null}
      </header>
      {found.isError ? (
        <ErrorState compact error={found.error} onRetry={found.refetch} retrying={found.isFetching} />
      ) : found.data === undefined ? (
        <Skeleton height={44} />
      ) : items.length === 0 ? (
        <p className="muted">Nobody else. Add who pays the bills or opens the gate, and choose what they get.</p>
      ) : (
        <ul className="contact-list">
          {items.map((contact) => (
            <Contact key={contact.id} customerId={customer.id} contact={contact} onEdit={() => setShown(contact)} />
          ))}
        </ul>
      )}
      {left.length > 0 ? (
        <p className="hint">
          {customer.name} does not get {left.map((kind) => contactKindLabels[kind].toLowerCase()).join(', ')}. What
          nobody gets of invoices and quotes still goes to {customer.name}.
        </p>
      ) : null}
      {shown ? (
        <ContactDialog customer={customer} contact={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      ) : null}
    </section>
  )
}

const Contact = ({
  customerId,
  contact,
  onEdit,
}: {
  customerId: string
  contact: CustomerContact
  onEdit: () => void
}) => {
  const may = useMay()
  const { remove } = useContacts(customerId)
  const [asked, setAsked] = useState(false)
  const line = getsLine(contact)
  return (
    <li className="contact-list__one">
      <div>
        <p>
          <b>{contact.name}</b> <Badge dot={false}>{contactRoleLabels[contact.role]}</Badge>
        </p>
        <p className="contact-list__ways">
          {contact.phone ? <a href={`tel:${contact.phone}`}>{formatPhone(contact.phone)}</a> : null}
          {contact.email ? <a href={`mailto:${contact.email}`}>{contact.email}</a> : null}
        </p>
        {contact.note ? <p className="hint">{contact.note}</p> : null}
        <p className="hint">{line || 'Gets nothing by itself'}</p>
        {contact.noTexts ? <p className="hint">No texts: {contact.noTexts}.</p> : null}
        {contact.noMail ? <p className="hint">No e-mail: {contact.noMail}.</p> : null}
      </div>
      {may(contactsApi.update) ? (
        <MoreMenu
          label={`More for ${contact.name}`}
          items={[
            { label: 'Edit', icon: <IconPencil />, onClick: onEdit },
            {
              label: 'Remove',
              icon: <IconTrash />,
              danger: true,
              onClick: () => setAsked(true),
            },
          ]}
        />
      ) : null}
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={`Remove ${contact.name}?`}
        confirmLabel="Remove contact"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(contact.id)
          toast.success(`${contact.name} is removed`)
        }}
      >
        Nothing more goes to them. What was written to them stays in Messages.
      </ConfirmDialog>
    </li>
  )
}

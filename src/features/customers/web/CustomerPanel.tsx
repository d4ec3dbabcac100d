import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowsJoin,
  IconFileText,
  IconMail,
  IconMapPin,
  IconPencil,
  IconPhone,
  IconPhoneCheck,
  IconPlus,
  IconUsersGroup,
} from '../../../ui/icons.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { doorcardsApi } from '../../doorcards/contract.ts'
import { mergesApi } from '../../merges/contract.ts'
import { SamePlaces } from '../../merges/places/web/SamePlaces.tsx'
import { DuplicateHint } from '../../merges/web/DuplicateHint.tsx'
import { MergedHint } from '../../merges/web/MergedHint.tsx'
import { consentsApi } from '../../messages/consents/contract.ts'
import { CustomerMessages } from '../../messages/web/CustomerMessages.tsx'
import { CustomerNotices } from '../../notices/web/CustomerNotices.tsx'
import { tasksApi } from '../../tasks/contract.ts'
import { CustomerTasks } from '../../tasks/web/CustomerTasks.tsx'
import { timelineApi } from '../../timeline/contract.ts'
import { CustomerContacts } from '../contacts/web/CustomerContacts.tsx'
import { type CustomerRecord, customersApi } from '../contract.ts'
import { customFacts } from '../custom/web/customFacts.ts'
import { useCustomFields } from '../custom/web/data.ts'
import { bookNeed, quoteNeed } from '../rules.ts'
import { CustomerInvoices } from './CustomerInvoices.tsx'
import { CustomerWork } from './CustomerWork.tsx'
import { customerQuery, useArchiveCustomer } from './data.ts'
import { PropertyCard } from './PropertyCard.tsx'

const EditCustomer = lazyPart(() => import('./EditCustomer.tsx').then((m) => m.EditCustomer))
const LogCall = lazyPart(() => import('../../tasks/web/LogCall.tsx').then((m) => m.LogCall))
const CustomerTimeline = lazyPart(() =>
  import('../../timeline/web/CustomerTimeline.tsx').then((m) => m.CustomerTimeline),
)
const CustomerPortal = lazyPart(() => import('../../portal/web/CustomerPortal.tsx').then((m) => m.CustomerPortal))
const NeighborsDialog = lazyPart(() => import('../../doorcards/web/NeighborsDialog.tsx').then((m) => m.NeighborsDialog))
const CrewNeighborsDialog = lazyPart(() =>
  import('../../doorcards/web/CrewNeighborsDialog.tsx').then((m) => m.CrewNeighborsDialog),
)
const MergeDialog = lazyPart(() => import('../../merges/web/MergeDialog.tsx').then((m) => m.MergeDialog))
const CustomerReferrals = lazyPart(() =>
  import('../../referrals/web/CustomerReferrals.tsx').then((m) => m.CustomerReferrals),
)
const CustomerConsents = lazyPart(() =>
  import('../../messages/consents/web/CustomerConsents.tsx').then((m) => m.CustomerConsents),
)
const CustomerAutomations = lazyPart(() =>
  import('../../automations/web/CustomerAutomations.tsx').then((m) => m.CustomerAutomations),
)
const PropertyDialog = lazyPart(() => import('./PropertyDialog.tsx').then((m) => m.PropertyDialog))

const parts = ['overview', 'timeline', 'work', 'invoices', 'messages'] as const
type Part = (typeof parts)[number]

type Props = {
  id: string
  part: string
  onPart: (part: string) => void
  onClose: () => void
  /** Another record takes the place of this one. */
  onOther: (id: string) => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** One customer beside the list: who, where, what is booked, what is owed, what was written. */
export const CustomerPanel = ({ id, part, onPart, onClose, onOther, onPrevious, onNext }: Props) => {
  const found = useQuery(customerQuery(id))
  const [editing, setEditing] = useState(false)
  const [adding, setAdding] = useState(false)
  const [calling, setCalling] = useState(false)
  /** The other record; empty where it is still to be found. */
  const [merging, setMerging] = useState<string | null>(null)
  const [around, setAround] = useState(false)
  const [crewAround, setCrewAround] = useState(false)
  const may = useMay()
  const logs = may(tasksApi.logCall)
  const seesTimeline = may(timelineApi.list)
  useAhead(EditCustomer, PropertyDialog, LogCall, CustomerTimeline)
  const record = found.data
  // a link to a record that was merged goes on to the one that was kept
  const mergedInto = record?.archivedAt ? record.mergedIntoId : null
  useEffect(() => {
    if (mergedInto) onOther(mergedInto)
  }, [mergedInto, onOther])
  const current = parts.find((p) => p === part) ?? 'overview'
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      keys={{ L: logs && record ? () => setCalling(true) : undefined }}
      width={540}
      title={record?.name ?? (found.isError ? 'Customer' : 'Loading…')}
      sub={
        record
          ? [record.company, record.type === 'commercial' ? 'Business' : 'Home'].filter(Boolean).join(' · ')
          : undefined
      }
      badge={record ? <StageBadge record={record} /> : undefined}
      actions={
        record ? (
          <PanelActions
            record={record}
            onEdit={() => setEditing(true)}
            onAdd={() => setAdding(true)}
            onCall={logs ? () => setCalling(true) : null}
            onMerge={may(mergesApi.merge) && record.archivedAt === null ? () => setMerging('') : null}
            onNeighbors={record.properties.some((one) => one.archivedAt === null) ? () => setAround(true) : null}
          />
        ) : undefined
      }
    >
      {record ? (
        <>
          <Tabs<Part>
            label={`Parts of ${record.name}`}
            value={current}
            onChange={onPart}
            tabs={[
              { value: 'overview', label: 'Overview' },
              ...(seesTimeline ? [{ value: 'timeline' as const, label: 'Timeline' }] : []),
              { value: 'work', label: 'Work', ...(record.jobs.length ? { count: record.jobs.length } : {}) },
              ...(record.invoices
                ? [
                    {
                      value: 'invoices' as const,
                      label: 'Invoices',
                      ...(record.invoices.count ? { count: record.invoices.count } : {}),
                    },
                  ]
                : []),
              { value: 'messages', label: 'Messages' },
            ]}
          />
          {current === 'timeline' && seesTimeline ? (
            <CustomerTimeline customer={record} onCall={logs ? () => setCalling(true) : null} />
          ) : current === 'work' ? (
            <CustomerWork record={record} />
          ) : current === 'invoices' && record.invoices ? (
            <CustomerInvoices record={record} invoices={record.invoices} />
          ) : current === 'messages' ? (
            <CustomerMessages customerId={record.id} />
          ) : (
            <Overview record={record} onAdd={() => setAdding(true)} onMerge={setMerging} />
          )}
          {editing ? <EditCustomer record={record} onClose={() => setEditing(false)} /> : null}
          {crewAround ? <CrewNeighborsDialog onClose={() => setCrewAround(false)} /> : null}
          {around ? (
            <NeighborsDialog
              properties={record.properties.filter((one) => one.archivedAt === null)}
              onClose={() => setAround(false)}
              onCrew={() => {
                setAround(false)
                setCrewAround(true)
              }}
            />
          ) : null}
          {merging !== null ? (
            <MergeDialog
              customer={record}
              goneId={merging || null}
              onClose={() => setMerging(null)}
              onDone={(keptId) => {
                setMerging(null)
                onOther(keptId)
              }}
            />
          ) : null}
          {calling ? <LogCall customer={record} onClose={() => setCalling(false)} /> : null}
          {adding ? <PropertyDialog customer={record} property={null} onClose={() => setAdding(false)} /> : null}
        </>
      ) : found.isError ? (
        <RecordFailed
          what="customer"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}

const StageBadge = ({ record }: { record: CustomerRecord }) =>
  record.archivedAt ? (
    <Badge tone="wait">Archived</Badge>
  ) : record.stage === 'lead' ? (
    <Badge tone="flag">Lead</Badge>
  ) : record.stage === 'past' ? (
    <Badge>Past</Badge>
  ) : (
    <Badge tone="done">Active</Badge>
  )

type ActionProps = {
  record: CustomerRecord
  onEdit: () => void
  onAdd: () => void
  onNeighbors: (() => void) | null
  /** Null for who may not log calls. */
  onCall: (() => void) | null
  onMerge: (() => void) | null
}

const PanelActions = ({ record, onEdit, onAdd, onCall, onMerge, onNeighbors }: ActionProps) => {
  const { can } = record
  const archive = useArchiveCustomer()
  const archivedItems = () =>
    archive.mutate(
      { id: record.id },
      {
        onSuccess: () =>
          toast.undo(`${record.name} is archived`, () =>
            archive.mutate({ id: record.id, back: true }, { onError: toast.error }),
          ),
        onError: toast.error,
      },
    )
  const bringBack = () =>
    archive.mutate(
      { id: record.id, back: true },
      { onSuccess: () => toast.success(`${record.name} is back in your list`), onError: toast.error },
    )
  const pinned = record.properties.find((p) => p.latitude !== null && p.archivedAt === null)
  // a customer with current work is refused in words that say what to do first; an item that is not there says nothing
  const may = useMay()
  const archivable = may(customersApi.archive) && record.archivedAt === null
  return (
    <>
      {can.unarchive ? (
        <Button kind="primary" icon={<IconArrowBackUp />} onClick={bringBack} loading={archive.isPending}>
          Switch on
        </Button>
      ) : null}
      {can.book ? (
        <Button calls={bookNeed} kind="primary" icon={<IconPlus />} href={linkTo.newJob({ customerId: record.id })}>
          Book a job
        </Button>
      ) : null}
      {can.book && may(quoteNeed) ? (
        <Button calls={quoteNeed} icon={<IconFileText />} href={linkTo.newQuote({ customerId: record.id })}>
          New quote
        </Button>
      ) : null}
      {record.phone ? (
        <Button icon={<IconPhone />} href={`tel:${record.phone}`}>
          Call
        </Button>
      ) : null}
      {onCall ? (
        <Button calls={tasksApi.logCall} icon={<IconPhoneCheck />} onClick={onCall} title="Log a call (L)">
          Log call
        </Button>
      ) : null}
      {record.email ? (
        <Button icon={<IconMail />} href={`mailto:${record.email}`}>
          E-mail
        </Button>
      ) : null}
      {can.update ? (
        <Button icon={<IconPencil />} onClick={onEdit}>
          Edit
        </Button>
      ) : null}
      {can.addProperty || archivable || pinned || onMerge ? (
        <MoreMenu
          label="More for this customer"
          items={[
            can.addProperty && { label: 'Add a property', icon: <IconPlus size={18} />, onClick: onAdd },
            pinned
              ? {
                  label: 'Show on the map',
                  icon: <IconMapPin size={18} />,
                  href: linkTo.customerMap({ customerId: record.id }),
                }
              : null,
            may(doorcardsApi.near) &&
              record.archivedAt === null &&
              onNeighbors && {
                label: 'Neighbors',
                icon: <IconUsersGroup size={18} />,
                onClick: onNeighbors,
              },
            onMerge && {
              label: 'Merge with another record',
              icon: <IconArrowsJoin size={18} />,
              onClick: onMerge,
            },
            archivable && 'line',
            archivable && { label: 'Archive', icon: <IconArchive size={18} />, onClick: archivedItems },
          ]}
        />
      ) : null}
    </>
  )
}

type OverviewProps = { record: CustomerRecord; onAdd: () => void; onMerge: (goneId: string) => void }

const Overview = ({ record, onAdd, onMerge }: OverviewProps) => {
  const user = useUser()
  const today = useToday()
  const seesConsents = useMay()(consentsApi.list)
  const fields = useCustomFields('customer')
  const next = record.nextVisits[0]
  const live = record.properties.filter((p) => p.archivedAt === null)
  const gone = record.properties.filter((p) => p.archivedAt !== null)
  const billing = [
    record.billingStreet,
    record.billingCity,
    [record.billingState, record.billingZip].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ')
  const owedCents = record.invoices?.openCents ?? 0
  const creditCents = Math.max(0, owedCents - (record.balanceCents ?? 0))
  return (
    <div className="panel-stack">
      <DuplicateHint customer={record} onMerge={onMerge} />
      <MergedHint customer={record} />
      <dl className="panel-facts">
        <div>
          <dt>Next visit</dt>
          <dd>{next?.day ? (next.day === today ? 'Today' : formatDay(next.day)) : 'None booked'}</dd>
          {next ? <dd className="hint">{[next.title, next.crewName].filter(Boolean).join(' · ')}</dd> : null}
        </div>
        {record.balanceCents === null ? null : (
          <div>
            <dt>{owedCents === 0 && creditCents > 0 ? 'Credit' : 'Owes'}</dt>
            <dd>
              <Money
                cents={owedCents === 0 ? creditCents : owedCents}
                {...((record.invoices?.overdueCents ?? 0) > 0 ? { tone: 'late' as const } : {})}
              />
            </dd>
            {(record.invoices?.overdueCents ?? 0) > 0 ? (
              <dd className="hint">
                <Money cents={record.invoices?.overdueCents} /> overdue
              </dd>
            ) : null}
            {owedCents > 0 && creditCents > 0 ? (
              <dd className="hint">
                <LinkTo href={linkTo.invoices({ customerId: record.id })}>
                  <Money cents={creditCents} /> of credit
                </LinkTo>{' '}
                not used yet
              </dd>
            ) : null}
          </div>
        )}
      </dl>
      <KeyValue
        items={[
          {
            label: 'Phone',
            value: record.phone ? <a href={`tel:${record.phone}`}>{formatPhone(record.phone)}</a> : null,
          },
          { label: 'E-mail', value: record.email ? <a href={`mailto:${record.email}`}>{record.email}</a> : null },
          { label: 'Bill to', value: billing },
          {
            label: 'Tags',
            value: record.tags.length ? (
              <span className="customer-tags">
                {record.tags.map((tag) => (
                  <Badge key={tag} dot={false}>
                    {tag}
                  </Badge>
                ))}
              </span>
            ) : null,
          },
          { label: 'Came from', value: record.source },
          ...customFacts(fields, record.custom),
          { label: 'Notes', value: record.notes ? <span className="pre-line">{record.notes}</span> : null },
          {
            label: 'Customer since',
            value: formatDay(dayOf(record.createdAt, user.business.timeZone), { year: true }),
          },
        ]}
      />
      <section className="panel-section">
        <header>
          <h3>{live.length > 1 ? `${live.length} properties` : 'Property'}</h3>
          {record.can.addProperty ? (
            <Button size="s" kind="quiet" icon={<IconPlus />} onClick={onAdd}>
              Add a property
            </Button>
          ) : null}
        </header>
        {live.length > 1 ? <SamePlaces customer={record} /> : null}
        {live.length === 0 ? <p className="muted">No address yet. Add one to book work there.</p> : null}
        {live.map((property) => (
          <PropertyCard key={property.id} customer={record} property={property} />
        ))}
        {gone.length > 0 ? (
          <details className="panel-gone">
            <summary>{gone.length === 1 ? '1 archived property' : `${gone.length} archived properties`}</summary>
            {gone.map((property) => (
              <PropertyCard key={property.id} customer={record} property={property} />
            ))}
          </details>
        ) : null}
      </section>
      <CustomerTasks customer={record} />
      <CustomerContacts customer={record} />
      <CustomerReferrals customer={record} />
      <CustomerNotices customerId={record.id} name={record.name} />
      <CustomerAutomations customerId={record.id} name={record.name} />
      {seesConsents ? <CustomerConsents customer={record} /> : null}
      <CustomerPortal customer={record} />
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../shared/counted.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { VisitLink } from '../../../visits/web/VisitLink.tsx'
import type { CashItem } from '../contract.ts'
import { type Basis, bankDays, type ListedKind, lateDays } from '../rules.ts'
import { cashItemsQuery } from './data.ts'

export const kindNames: Record<ListedKind, string> = {
  invoices: 'Open invoices',
  drafts: 'Draft invoices',
  work: 'Work to be invoiced',
  plans: 'Billing plans',
  recurring: 'Recurring costs',
}

const because: Record<Basis, string> = {
  promised: 'promised for that day',
  autopay: 'paid by autopay',
  bank: `on its way from a bank, which takes about ${bankDays} days`,
  own: 'as this customer usually pays',
  usual: 'as customers usually pay',
  terms: 'on its due day',
  late: `late already; counted on in ${lateDays} days`,
}

const Title = ({ item, kind }: { item: CashItem; kind: ListedKind }) => {
  if (kind === 'work') return <VisitLink id={item.id}>{item.title}</VisitLink>
  const href =
    kind === 'invoices' || kind === 'drafts'
      ? linkTo.invoice(item.id)
      : kind === 'plans'
        ? linkTo.customer(item.id)
        : linkTo.expenses({ view: 'recurring' })
  return <LinkTo href={href}>{item.title}</LinkTo>
}

const detail = (item: CashItem, kind: ListedKind): string => {
  const on = item.onDay ? formatDay(item.onDay) : ''
  const what =
    kind === 'invoices'
      ? `INV-${item.number}${on && `, due ${on}`}`
      : kind === 'drafts'
        ? `INV-${item.number}, as if it was sent today`
        : kind === 'work'
          ? `Work of ${on}`
          : kind === 'plans'
            ? `Billed ${on}`
            : ''
  const why = item.basis ? because[item.basis] : ''
  const tax = item.taxCents > 0 ? `without ${formatCents(item.taxCents)} sales tax` : ''
  const ahead = item.aheadCents > 0 ? `without ${formatCents(item.aheadCents)} that was paid ahead` : ''
  return [what, why, tax, ahead].filter(Boolean).join(' · ')
}

type Props = { week: number; from: string; to: string; kind: ListedKind; cents: number; onClose: () => void }

/** The amounts that a figure of a week is made of, and why each is expected then. */
export const CashPanel = ({ week, from, to, kind, cents, onClose }: Props) => {
  const found = useQuery(cashItemsQuery({ week, kind }))
  const items = found.data?.items ?? []
  const rest = (found.data?.count ?? 0) - items.length
  return (
    <RecordPanel
      open
      covers
      onClose={onClose}
      title={kindNames[kind]}
      sub={`${formatDay(from)} to ${formatDay(to, { year: true })}${found.data ? ` · ${counted(found.data.count, 'amount')}, ${formatCents(cents)}` : ''}`}
    >
      {found.isError && !found.data ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load these amounts"
          onRetry={() => void found.refetch()}
        />
      ) : found.isPending ? (
        <PanelSkeleton />
      ) : items.length === 0 ? (
        <p className="hint">Nothing is expected in this week any more.</p>
      ) : (
        <ul className="an-rows">
          {items.map((item) => (
            <li key={item.key}>
              <span>
                <Title item={item} kind={kind} />
                <span className="hint">{detail(item, kind)}</span>
              </span>
              <span className="num">
                {formatCents(item.cents)}
                <span className="hint">{formatDay(item.day)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 ? <p className="hint">The {items.length.toLocaleString('en-US')} largest are listed.</p> : null}
    </RecordPanel>
  )
}

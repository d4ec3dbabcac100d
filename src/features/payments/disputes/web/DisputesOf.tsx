import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { type DisputeSummary, disputesApi } from '../contract.ts'
import { kindLabels } from '../rules.ts'
import { disputesQuery } from './data.ts'

const tones: Record<DisputeSummary['status'], Tone> = {
  needs_response: 'late',
  under_review: 'wait',
  won: 'done',
  lost: 'late',
  closed: 'neutral',
}

/** The kind of a dispute in the color of how it stands. */
export const DisputeBadge = ({ dispute }: { dispute: Pick<DisputeSummary, 'kind' | 'status'> }) => (
  <Badge tone={tones[dispute.status]}>{kindLabels[dispute.kind]}</Badge>
)

/** Payments that a bank questions or took back, of an invoice or a customer; nothing where there are none. */
export const DisputesOf = ({ of }: { of: { customerId: string } | { invoiceId: string } }) => {
  const may = useMay()
  const { timeZone } = useUser().business
  const found = useQuery({ ...disputesQuery(of), enabled: may(disputesApi.list) })
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the disputes"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  const items = found.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section>
      <h3>{items.length === 1 ? 'Disputed payment' : 'Disputed payments'}</h3>
      <ul className="panel-rows">
        {items.map((dispute) => (
          <li key={dispute.id}>
            <span className="panel-rows__main">
              <LinkTo href={linkTo.dispute(dispute.id, 'invoiceId' in of ? of : {})}>
                <b>{dispute.state}</b>
              </LinkTo>
              <span className="muted">
                {[
                  `since ${formatDay(dispute.openedOn, { year: true })}`,
                  dispute.status === 'needs_response' && dispute.dueAt
                    ? `evidence is due ${formatDay(dayOf(dispute.dueAt, timeZone))}`
                    : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="panel-rows__side num">
              {formatCents(dispute.amountCents)} <DisputeBadge dispute={dispute} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

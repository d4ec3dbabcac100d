import { useQuery } from '@tanstack/react-query'
import { type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import type { PlanChange, PlanVariant } from '../contract.ts'
import { changesLabel, mustNotify } from '../proposals/rules.ts'
import { compareQuery } from './data.ts'
import { miles, placeLabel, shortDuration } from './plan.ts'

type Props = { day: Day; runId: string | null; onClose: () => void; onChoose: (visitId: string, day: Day) => void }

const names: Record<PlanVariant['key'], string> = {
  booked: 'As booked',
  published: 'As sent',
  now: 'Plan now',
  proposal: 'Proposal',
}

const rows: { label: string; show: (v: PlanVariant) => string | null }[] = [
  { label: 'Driving', show: (v) => shortDuration(v.totals.driveSeconds) },
  { label: 'Miles', show: (v) => miles(v.totals.driveMeters) },
  {
    label: 'Drive labor',
    show: (v) => (v.totals.laborCents === null ? null : formatCents(v.totals.laborCents)),
  },
  { label: 'Stops', show: (v) => `${v.totals.stops}` },
  { label: 'Without a crew', show: (v) => `${v.unplaced}` },
  { label: 'Last crew back', show: (v) => (v.totals.endMinute === null ? '–' : formatMinute(v.totals.endMinute)) },
]

const Variants = ({ variants, caption }: { variants: readonly PlanVariant[]; caption: string }) => (
  <table className="compare__table">
    <caption className="ui-hidden">{caption}</caption>
    <thead>
      <tr>
        <td />
        {variants.map((v) => (
          <th key={v.key} scope="col">
            {names[v.key]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows
        .filter((row) => variants.every((v) => row.show(v) !== null))
        .map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {variants.map((v, i) => (
              <td key={v.key} className={`num${i === variants.length - 1 ? ' is-last' : ''}`}>
                {row.show(v)}
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
)

const Days = ({ variants }: { variants: readonly PlanVariant[] }) => {
  const [first] = variants
  if (!first || first.days.length < 2) return null
  const used = first.days.filter((_, i) => variants.some((v) => (v.days[i]?.totals.stops ?? 0) > 0))
  return (
    <>
      <h3>Driving by day</h3>
      <table className="compare__table">
        <caption className="ui-hidden">Driving by day</caption>
        <thead>
          <tr>
            <td />
            {variants.map((v) => (
              <th key={v.key} scope="col">
                {names[v.key]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.map(({ day }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              {variants.map((v, i) => {
                const totals = v.days.find((d) => d.day === day)?.totals
                return (
                  <td key={v.key} className={`num${i === variants.length - 1 ? ' is-last' : ''}`}>
                    {totals && totals.stops > 0 ? shortDuration(totals.driveSeconds) : '–'}
                    <span className="hint compare__stops">{totals?.stops ?? 0} stops</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const kindLabel: Record<PlanChange['kind'], string> = {
  'other-day': 'To another day',
  placed: 'Gets a crew',
  'other-crew': 'To another crew',
  time: 'At another time',
  skipped: 'Skipped this time',
  dropped: 'Loses its crew',
}

const Changes = ({ changes, onChoose }: { changes: readonly PlanChange[]; onChoose: Props['onChoose'] }) => {
  const kinds = [...new Set(changes.map((c) => c.kind))]
  return kinds.map((kind) => {
    const mine = changes.filter((c) => c.kind === kind)
    return (
      <section key={kind} className="compare__kind" aria-label={kindLabel[kind]}>
        <h3>
          {kindLabel[kind]} <span className="hint num">{mine.length}</span>
        </h3>
        <ul>
          {mine.map((change) => (
            <li key={change.visitId}>
              <button type="button" onClick={() => onChoose(change.visitId, change.to.day)}>
                <b>{change.street}</b>
                <span className="hint">{change.customerName}</span>
                <span className="num compare__way">
                  <s>{placeLabel(change.from, kind === 'other-day')}</s>
                  {kind === 'skipped' ? null : <span> → {placeLabel(change.to, kind === 'other-day')}</span>}
                </span>
                {mustNotify(change) ? <span className="compare__tell">Tell the customer</span> : null}
                {change.warning ? <span className="route__over">{change.warning}</span> : null}
              </button>
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

/** The plan beside what was booked, what was sent and what is proposed, and every stop that differs. */
export const ComparePanel = ({ day, runId, onClose, onChoose }: Props) => {
  const query = useQuery(compareQuery(runId ? { day, runId } : { day }))
  const data = query.data
  const sent = data?.variants.some((v) => v.key === 'published')
  const range = data && data.firstDay !== data.lastDay
  return (
    <RecordPanel
      open
      covers
      width={560}
      onClose={onClose}
      title="Compare plans"
      sub={
        data
          ? range
            ? `${formatDay(data.firstDay)} to ${formatDay(data.lastDay)}`
            : formatDay(day, { long: true })
          : undefined
      }
    >
      {query.error && !data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : !data ? (
        <PanelSkeleton />
      ) : (
        <div className="compare">
          <Variants variants={data.variants} caption="Plans beside each other" />
          <Days variants={data.variants} />
          {data.changes.length > 0 ? (
            <>
              <p className="compare__sum">
                {runId ? 'The proposal changes: ' : 'Changed since it was sent: '}
                {changesLabel(data.changes)}.
                {data.customersToNotify > 0 ? (
                  <b>
                    {' '}
                    {data.customersToNotify === 1 ? '1 customer has' : `${data.customersToNotify} customers have`} to be
                    told.
                  </b>
                ) : (
                  ' No customer has to be told.'
                )}
              </p>
              <Changes changes={data.changes} onChoose={onChoose} />
              {data.changeCount > data.changes.length ? (
                <p className="hint">And {data.changeCount - data.changes.length} more.</p>
              ) : null}
            </>
          ) : (
            <p className="hint">
              {runId
                ? 'The proposal changes nothing.'
                : sent
                  ? 'The plan is what the crews were sent.'
                  : 'Nothing of this day was sent to a crew yet. As booked is the order in which the work came in.'}
            </p>
          )}
        </div>
      )}
    </RecordPanel>
  )
}

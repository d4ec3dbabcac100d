import { counted } from '../../../shared/counted.ts'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Bars } from '../../../ui/Bars.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useParams } from '../../../ui/useParams.ts'
import type { Overview, Slice } from '../contract.ts'
import { columnsNote, isEmpty, type Period, pairUp, uncaptured } from '../rules.ts'
import './analytics.css'
import type { Show, Wanted } from './data.ts'
import { Slices } from './Slices.tsx'
import { CustomerTiles, Headlines, MoneyFigures, WorkTiles } from './Tiles.tsx'
import { WorkPanel } from './WorkPanel.tsx'

const shows: readonly Show[] = ['completed', 'unpaid', 'skipped']
const kinds = ['crew', 'service', 'city', 'source'] as const

/** What of the address names a list. */
export type ListLink = { show: string; by?: string | undefined; of?: string | undefined }

const wantedOf = (params: URLSearchParams, period: Period): Wanted | null => {
  const show = shows.find((one) => one === params.get('show'))
  const kind = kinds.find((one) => one === params.get('by'))
  if (!show) return null
  return { period, show, ...(kind ? { kind, key: params.get('of') ?? '' } : {}) }
}

/** What the list is of, its days, and what it comes to, so that the number that opened it is found in it. */
export const subOf = (
  found: Overview,
  { show, kind }: Pick<Wanted, 'show' | 'kind'>,
  slice: Slice | undefined,
): string =>
  [
    slice?.name ?? '',
    `${formatDay(found.current.from)} to ${formatDay(found.current.to, { year: true })}`,
    show === 'completed' && slice
      ? `${counted(slice.completions, 'visit')}, ${formatCents(slice.worthCents)}${kind === 'service' ? ' of it for this service' : ''}`
      : '',
    show === 'completed' && !kind
      ? `${counted(found.completions.now, 'visit')}, ${formatCents(found.worthCents.now)}`
      : '',
    show === 'unpaid' && !kind ? `${formatCents(uncaptured(found))} not paid` : '',
  ]
    .filter(Boolean)
    .join(' · ')

/** All figures of a period with their charts, and the list behind the one that was pressed. */
export const Figures = ({ found, link }: { found: Overview; link: (values: ListLink) => string }) => {
  const { params, change } = useParams()
  const { period } = found
  const wanted = wantedOf(params, period)
  const paired = useNarrow() && period === 'year'
  const columns = paired ? pairUp(found.chart) : found.chart
  const note = columnsNote(period, paired)
  const list = (show: Show, by?: string, of?: string) => link({ show, by, of })
  const slice = wanted?.kind ? found.slices[wanted.kind].find(({ key }) => key === wanted.key) : undefined
  if (isEmpty(found))
    return (
      <Card>
        <EmptyState
          picture="unmowed"
          title="No work was completed in these days"
          action={<Button href={linkTo.routeDay(found.current.to)}>Open the route map</Button>}
        >
          Once visits are completed you see here what they come to, what of it is paid and which crew, service and city
          it came from.
        </EmptyState>
      </Card>
    )
  return (
    <div className="an-page">
      <Headlines found={found} list={list} />
      <Card title="What changed and why" as="section">
        <p className="an-why">{found.why}</p>
      </Card>
      <div className="an-columns">
        <Card title="Completed work and what of it is paid" as="section">
          <Bars
            title="Completed work and what of it is paid"
            series={[
              { key: 'worth', label: 'Completed' },
              { key: 'captured', label: 'Paid' },
              { key: 'lastYear', label: 'A year ago' },
            ]}
            groups={columns.map((one) => ({
              label: one.label,
              values: { worth: one.worthCents, captured: one.capturedCents, lastYear: one.lastYearCents },
            }))}
            format={formatCents}
            note={note}
          />
        </Card>
        <Card title="Completed visits" as="section">
          <Bars
            title="Completed visits"
            series={[{ key: 'completions', label: 'Visits' }]}
            groups={columns.map((one) => ({ label: one.label, values: { completions: one.completions } }))}
            note={note}
          />
        </Card>
      </div>
      <WorkTiles found={found} list={list} />
      <MoneyFigures found={found} list={list} />
      <CustomerTiles found={found} />
      <Slices found={found} list={(kind, { key }) => list('completed', kind, key)} />
      {wanted ? (
        <WorkPanel
          key={JSON.stringify(wanted)}
          wanted={wanted}
          sub={subOf(found, wanted, slice)}
          onClose={() => change({ show: null, by: null, of: null })}
        />
      ) : null}
    </div>
  )
}

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { Stat } from '../../../../ui/Stat.tsx'
import { StatRow } from '../../../../ui/StatRow.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { lostLabel, percentOf } from '../../rules.ts'
import '../../web/quotes.css'
import { type QuoteAnalytics, quoteAnalyticsApi } from '../contract.ts'

const analyticsQuery = (days: number) =>
  queryOptions({
    queryKey: ['quotes', 'analytics', days],
    meta: { live: { topics: ['quotes'], everyMs: 5_000 } },
    queryFn: ({ signal }) => call(quoteAnalyticsApi.get, { query: { days } }, { signal }),
    placeholderData: keepPreviousData,
  })

const share = (part: number, of: number): string => {
  const percent = percentOf(part, of)
  return percent === null ? '–' : formatPercent(percent)
}

const waited = (hours: number | null): string =>
  hours === null ? '–' : hours < 48 ? `${hours.toLocaleString('en-US')} h` : `${Math.round(hours / 24)} days`

const Groups = ({ title, first, rows }: { title: string; first: string; rows: QuoteAnalytics['bySource'] }) => (
  <Card title={title} as="section">
    <table className="qt-table">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Sent</th>
          <th scope="col">Won</th>
          <th scope="col">Rate</th>
          <th scope="col">Value won</th>
        </tr>
      </thead>
      <tbody className="num">
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>{row.sent}</td>
            <td>{row.won}</td>
            <td>{share(row.won, row.sent)}</td>
            <td>{formatCents(row.wonCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Card>
)

/** What became of the quotes of a span: seen, won, lost and why, by whom and from where. */
export const AnalyticsTab = () => {
  const { params, change } = useParams()
  const days = [30, 90, 365].find((one) => String(one) === params.get('days')) ?? 90
  const found = useQuery(analyticsQuery(days))
  const data = found.data
  return (
    <>
      <PageHeader title="Quote analytics" sub="By the day on which a quote was first sent." />
      <FilterChips
        label="Span"
        single
        chips={[
          { value: '30', label: '30 days' },
          { value: '90', label: '90 days' },
          { value: '365', label: '365 days' },
        ]}
        values={[String(days)]}
        onChange={([value]) => change({ days: value ?? null }, { replace: true })}
      />
      {found.isError ? (
        <ErrorState error={found.error} title="We could not load the figures" onRetry={() => void found.refetch()} />
      ) : !data ? (
        <CardSkeleton />
      ) : data.sent === 0 ? (
        <Card>
          <EmptyState
            picture="unmowed"
            title="Nothing was sent in this span"
            action={
              <Button kind="primary" href={linkTo.newQuote()}>
                New quote
              </Button>
            }
          >
            Once quotes are on their way you see here how many are opened, won and lost.
          </EmptyState>
        </Card>
      ) : (
        <div className="qt-create qt-analytics">
          <StatRow>
            <Stat label="Sent" value={String(data.sent)} note={formatCents(data.sentCents)} />
            <Stat label="Opened" value={share(data.viewed, data.sent)} note={`${data.viewed} of ${data.sent}`} />
            <Stat label="Won" value={share(data.won, data.sent)} note={formatCents(data.wonCents)} tone="good" />
            <Stat label="Lost" value={String(data.lost)} note={formatCents(data.lostCents)} />
            <Stat label="Still open" value={String(data.open)} note={formatCents(data.openCents)} />
            <Stat label="Until an answer" value={waited(data.medianHours)} note="the middle one" />
          </StatRow>
          {data.reasons.length > 0 ? (
            <Card title="Lost, and why" as="section">
              <table className="qt-table">
                <thead>
                  <tr>
                    <th scope="col">Reason</th>
                    <th scope="col">Quotes</th>
                    <th scope="col">Value</th>
                  </tr>
                </thead>
                <tbody className="num">
                  {data.reasons.map(({ reason, count, cents }) => (
                    <tr key={reason ?? 'none'}>
                      <th scope="row">{reason ? lostLabel[reason] : 'Not said'}</th>
                      <td>{count}</td>
                      <td>{formatCents(cents)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Card>
          ) : null}
          <Groups title="By source" first="Source" rows={data.bySource} />
          <Groups title="By salesperson" first="Person" rows={data.bySeller} />
          <Groups title="By template" first="Template" rows={data.byTemplate} />
        </div>
      )}
    </>
  )
}

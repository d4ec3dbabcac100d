import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { Benchmarks } from '../benchmarks/web/Benchmarks.tsx'
import { analyticsApi, type Overview } from '../contract.ts'
import { reportAlert } from '../report/rules.ts'
import { isEmpty, type Period, periods } from '../rules.ts'
import './analytics.css'
import { generateReport, overviewQuery } from './data.ts'
import { Figures } from './Figures.tsx'

const names: Record<Period, string> = { week: 'Week', month: 'Month', year: 'Year' }

/** Its place in the page head; what went wrong stands below it until the next try. */
const useReport = (found: Overview | undefined) => {
  const [state, setState] = useState<'idle' | 'making' | 'failed'>('idle')
  const make = async (): Promise<void> => {
    if (!found) return
    setState('making')
    try {
      await generateReport(found)
      setState('idle')
    } catch (error) {
      console.error(error)
      setState('failed')
    }
  }
  return { state, make, close: () => setState('idle') }
}

/** What the business earns: a week, a month or a year of it, and the report of that as a PDF. */
export const AnalyticsScreen = () => {
  const { params, change } = useParams()
  const period = periods.find((one) => one === params.get('period')) ?? 'month'
  const query = useQuery(overviewQuery(period))
  const found = query.data
  const report = useReport(found)
  return (
    <>
      <PageHeader
        title="Analytics"
        sub={
          found
            ? `${formatDay(found.current.from, { year: true })} to ${formatDay(found.current.to, { year: true })}`
            : undefined
        }
        actions={
          <Button
            icon={<IconDownload />}
            calls={analyticsApi.pdf}
            loading={report.state === 'making'}
            disabled={!found}
            onClick={() => void report.make()}
          >
            Generate report
          </Button>
        }
      />
      <div className="an-page">
        {report.state === 'failed' ? (
          <Banner tone="error" onClose={report.close}>
            {reportAlert}
          </Banner>
        ) : null}
        <div className="an-bar">
          <FilterChips
            label="Period"
            single
            chips={periods.map((value) => ({ value, label: names[value] }))}
            values={[period]}
            onChange={([value]) => change({ period: value ?? null, show: null, by: null, of: null }, { replace: true })}
          />
        </div>
        {query.isError && !found ? (
          <ErrorState
            error={query.error}
            title="We could not load the figures"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : found ? (
          <>
            <Figures found={found} link={(values) => linkTo.analytics({ period, ...values })} />
            {isEmpty(found) ? null : (
              <Benchmarks found={found} link={(values) => linkTo.analytics({ period, ...values })} />
            )}
          </>
        ) : (
          <>
            <CardSkeleton />
            <CardSkeleton />
          </>
        )}
      </div>
    </>
  )
}

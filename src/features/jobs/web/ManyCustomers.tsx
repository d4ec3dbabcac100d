import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { formatDay, formatDuration } from '#src/shared/dates.ts'
import { has } from '#src/shared/roles.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { FilterChips } from '#src/ui/FilterChips.tsx'
import { Money } from '#src/ui/Money.tsx'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { RadioField } from '#src/ui/RadioField.tsx'
import { CardSkeleton } from '#src/ui/Skeleton.tsx'
import { Stat } from '#src/ui/Stat.tsx'
import { focusUnread } from '#src/ui/useTyped.ts'
import { useUser } from '../../accounts/web/session.ts'
import type { ServiceRecord } from '../../services/contract.ts'
import { type JobRecord, jobsApi } from '../contract.ts'
import { type Calendar, frequencyOf } from '../rules.ts'
import { BatchDone } from './BatchDone.tsx'
import { BatchItems } from './BatchItems.tsx'
import { BillingField } from './BillingField.tsx'
import { CrewFields } from './CrewFields.tsx'
import { CustomerFilterFields, useCustomerFilter } from './CustomerFilterFields.tsx'
import { type BatchBody, batchPreviewQuery, useCreateBatch } from './data.ts'
import { FirstVisit } from './FirstVisit.tsx'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { newSchedule, type Schedule, spanOf } from './schedule.ts'
import { useSettled } from './useSettled.ts'

type Props = { services: readonly ServiceRecord[]; calendar: Calendar }

const paceLabel = { weekly: 'weekly ', biweekly: 'biweekly ', monthly: 'monthly ', once: 'one-time ' }
const jobsWord = (count: number, schedule: Schedule): string => {
  const rule = schedule.recurrence
  const usual =
    rule === null || (rule.freq === 'week' && rule.interval <= 2) || (rule.freq === 'month' && rule.interval === 1)
  const pace = usual ? paceLabel[frequencyOf(rule)] : ''
  return `${count.toLocaleString('en-US')} ${pace}${count === 1 ? 'job' : 'jobs'}`
}

/** The same job for a filtered set of customers in one action, each priced by its own lawn. */
export const ManyCustomers = ({ services, calendar }: Props) => {
  const user = useUser()
  const canPrice = has(user, 'money')
  const filter = useCustomerFilter()
  const create = useCreateBatch()
  const wish = useRef<HTMLDivElement>(null)
  const [serviceIds, setServiceIds] = useState<string[]>(() => [
    (services.find((s) => s.category === 'mow') ?? services[0])?.id ?? '',
  ])
  const [schedule, setSchedule] = useState(() => newSchedule(calendar))
  const [crewId, setCrewId] = useState('')
  const [priceMode, setPriceMode] = useState<'rule' | 'fixed'>('rule')
  const [fixedPriceCents, setFixedPriceCents] = useState<number | null>(null)
  const [billing, setBilling] = useState<JobRecord['billing']>('per_visit')
  const [instructions, setInstructions] = useState('')
  const [keepDay, setKeepDay] = useState(false)
  const [includeWithoutPin, setIncludeWithoutPin] = useState(false)
  const [except, setExcept] = useState<string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [made, setMade] = useState<{ batchId: string; jobs: number; visits: number } | null>(null)

  const ready =
    serviceIds.length > 0 &&
    (priceMode === 'rule' || fixedPriceCents !== null) &&
    (schedule.recurrence !== null || schedule.onceOn !== null)
  const body: BatchBody = {
    customerFilter: filter.value,
    serviceIds,
    recurrence: schedule.recurrence,
    onceOn: schedule.recurrence ? null : schedule.onceOn,
    crewId: crewId || null,
    ...spanOf(schedule),
    priceMode,
    ...(priceMode === 'fixed' && fixedPriceCents !== null ? { fixedPriceCents } : {}),
    billing,
    instructions,
    ...(schedule.recurrence ? { keepDay } : {}),
    includeWithoutPin,
    exceptPropertyIds: except,
  }
  const input = JSON.stringify(body)
  const settled = useSettled(input)
  const preview = useQuery({
    ...batchPreviewQuery(JSON.parse(settled) as BatchBody),
    enabled: ready && made === null,
    placeholderData: keepPreviousData,
  })
  const fresh = preview.data !== undefined && !preview.isPlaceholderData && settled === input
  const totals = preview.data?.totals

  const makeJobs = async () => {
    if (!totals || focusUnread(wish.current)) return
    setProblem(null)
    try {
      const answer = await create.mutateAsync({ ...body, expectedJobs: totals.jobs })
      if (answer.batch)
        setMade({
          batchId: answer.batch.id,
          jobs: answer.totals.jobs,
          visits: answer.totals.jobs * answer.totals.visitsPerJob,
        })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.errors[0]?.message ?? error.message)
      void preview.refetch()
    }
  }

  if (made)
    return (
      <BatchDone
        batchId={made.batchId}
        what={jobsWord(made.jobs, schedule)}
        visits={made.visits}
        firstOn={totals?.firstOn ?? null}
        onAgain={() => setMade(null)}
      />
    )
  return (
    <div className="job-many">
      <div className="job-many__wish" ref={wish}>
        <Card title="Who">
          <CustomerFilterFields filter={filter} />
        </Card>
        <Card title="What and when">
          <div className="ui-form">
            <fieldset className="job-pick">
              <legend className="ui-field__label">Services</legend>
              <FilterChips
                label="Services"
                chips={services.map((s) => ({ value: s.id, label: s.name }))}
                values={serviceIds}
                onChange={(ids) => setServiceIds(ids.slice(-10))}
              />
            </fieldset>
            <ScheduleEditor value={schedule} onChange={setSchedule} calendar={calendar} />
            <FirstVisit
              lines={[schedule]}
              schedule={schedule}
              calendar={calendar}
              crew={{
                id: crewId || null,
                skills: [services.flatMap((one) => (serviceIds.includes(one.id) ? one.skills : []))],
              }}
            />
          </div>
        </Card>
        <Card title="Price and crew">
          <div className="ui-form">
            <RadioField
              label="Price"
              hideLabel
              value={priceMode}
              onChange={setPriceMode}
              options={[
                { value: 'rule', label: 'By the price rule, from the size of each lawn' },
                ...(canPrice ? [{ value: 'fixed' as const, label: 'The same price for all' }] : []),
              ]}
            />
            {priceMode === 'fixed' ? (
              <MoneyField
                label="Price of a visit"
                value={fixedPriceCents}
                onChange={setFixedPriceCents}
                unit="/ visit"
              />
            ) : null}
            {canPrice ? <BillingField value={billing} onChange={setBilling} /> : null}
            <CrewFields
              crewId={crewId}
              onCrew={setCrewId}
              instructions={instructions}
              onInstructions={setInstructions}
            />
            {schedule.recurrence ? (
              <CheckboxField
                label="Keep this day"
                hint="The season planner never proposes another day or week for these jobs."
                value={keepDay}
                onChange={setKeepDay}
              />
            ) : null}
            <CheckboxField
              label="Also properties without a pin on the map"
              hint="They are booked, but wait beside the routes until they have a pin."
              value={includeWithoutPin}
              onChange={setIncludeWithoutPin}
            />
          </div>
        </Card>
      </div>
      <div className="job-many__result">
        {!ready ? (
          <Banner tone="info">
            {serviceIds.length === 0
              ? 'Choose at least one service.'
              : priceMode === 'fixed'
                ? 'Type the price of a visit.'
                : 'Choose a day.'}
          </Banner>
        ) : preview.error && !preview.data ? (
          <ErrorState error={preview.error} onRetry={() => preview.refetch()} retrying={preview.isFetching} />
        ) : !totals || !preview.data ? (
          <CardSkeleton count={3} />
        ) : (
          <>
            <div className="job-many__stats">
              <Stat
                label="A round"
                value={
                  totals.roundCents === null ? (
                    totals.jobs.toLocaleString('en-US')
                  ) : (
                    <Money cents={totals.roundCents} whole />
                  )
                }
                note={
                  totals.roundCents === null
                    ? `${totals.jobs === 1 ? 'visit' : 'visits'}, one each`
                    : `${totals.jobs} ${totals.jobs === 1 ? 'visit' : 'visits'}, one each`
                }
              />
              <Stat label="Work in a round" value={formatDuration(totals.roundMinutes * 60)} note="for one person" />
              <Stat
                label="First visits"
                value={totals.firstOn && totals.jobs > 0 ? formatDay(totals.firstOn) : '–'}
                note={
                  totals.jobs === 0
                    ? 'no job to create'
                    : `${totals.visitsPerJob} ${totals.visitsPerJob === 1 ? 'visit' : 'visits'} each on the calendar`
                }
              />
            </div>
            {problem ? <Banner tone="error">{problem}</Banner> : null}
            <div className="job-many__go">
              <Button
                kind="primary"
                size="l"
                calls={jobsApi.batch}
                disabled={totals.jobs === 0}
                loading={create.isPending || (!fresh && preview.isFetching)}
                onClick={makeJobs}
              >
                {totals.jobs === 0 ? 'No job to create' : `Create ${jobsWord(totals.jobs, schedule)}`}
              </Button>
              <span className="muted">
                {totals.properties.toLocaleString('en-US')}{' '}
                {totals.properties === 1 ? 'property fits' : 'properties fit'} the filter
                {totals.exceptions > 0
                  ? `, ${totals.exceptions} ${totals.exceptions === 1 ? 'is' : 'are'} left out`
                  : ''}
              </span>
            </div>
            <BatchItems
              answer={preview.data}
              refreshing={!fresh}
              onLeaveOut={(id) => setExcept([...except, id])}
              onTakeBack={(id) => setExcept(except.filter((one) => one !== id))}
            />
          </>
        )}
      </div>
    </div>
  )
}

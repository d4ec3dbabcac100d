import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '#src/shared/client.ts'
import { formatDuration } from '#src/shared/dates.ts'
import { linkTo, recordParam } from '#src/shared/links.ts'
import { has } from '#src/shared/roles.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { type Choice, ComboboxField } from '#src/ui/ComboboxField.tsx'
import { Money } from '#src/ui/Money.tsx'
import { toast } from '#src/ui/toast.tsx'
import { focusUnread } from '#src/ui/useTyped.ts'
import { useUser } from '../../accounts/web/session.ts'
import { MeasureFirst } from '../../customers/areas/web/MeasureFirst.tsx'
import type { ServiceRecord } from '../../services/contract.ts'
import { measureOf, measures } from '../../services/measures/rules.ts'
import { goesBySize } from '../../services/rules.ts'
import { type JobRecord, jobsApi } from '../contract.ts'
import type { Calendar } from '../rules.ts'
import { BillingField } from './BillingField.tsx'
import { CrewFields } from './CrewFields.tsx'
import { lastJobQuery, placeQuery, placesOfCustomerQuery, useCreateJob } from './data.ts'
import { FirstVisit, type Past, usualPast } from './FirstVisit.tsx'
import { isTooOften } from './GapNote.tsx'
import { type LineForm, linesToSend, newLine, numbersOf, problemsOf } from './lines.ts'
import { SchedulePreview } from './SchedulePreview.tsx'
import { newSchedule, type Schedule, spanOf, withHowOften } from './schedule.ts'
import { type Proposal, proposalOf } from './usual.ts'
import { WorkFields } from './WorkFields.tsx'

type Props = { services: readonly ServiceRecord[]; calendar: Calendar }

/** Books one job: where, what, when, for how much. */
export const OneCustomer = ({ services, calendar }: Props) => {
  const user = useUser()
  const canPrice = has(user, 'money')
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const ofCustomer = useQuery({
    ...placesOfCustomerQuery(query.get(recordParam.customer) ?? ''),
    enabled: query.get(recordParam.customer) !== null && query.get('propertyId') === null,
  })
  const propertyId =
    query.get('propertyId') ?? (ofCustomer.data?.length === 1 ? ofCustomer.data[0]?.propertyId : undefined)
  const place = useQuery({ ...placeQuery(propertyId ?? ''), enabled: propertyId !== undefined }).data ?? null
  const create = useCreateJob()
  const last = useQuery({ ...lastJobQuery(propertyId ?? ''), enabled: place !== null && place.serviceIds.length === 0 })
  // What is typed stands; before that it is what the customer had last, else the first service that is not booked here yet.
  const [typed, setTyped] = useState<Partial<Omit<Proposal, 'jobNumber'>>>({})
  const [empty] = useState(() => ({ lines: [newLine('')], schedule: newSchedule(calendar), crewId: '' }))
  const [fromLast, setFromLast] = useState(true)
  const proposal = useMemo(
    () => (fromLast && last.data && place?.serviceIds.length === 0 ? proposalOf(last.data, services, calendar) : null),
    [fromLast, last.data, place, services, calendar],
  )
  const first = services.find((service) => !place?.serviceIds.includes(service.id)) ?? services[0]
  const start = proposal ?? {
    ...empty,
    lines: empty.lines.map((line) => ({ ...line, serviceId: first?.id ?? '' })),
    // A treatment is not proposed for every week.
    ...(isTooOften(first, empty.schedule.recurrence)
      ? { schedule: withHowOften(empty.schedule, 'once', calendar) }
      : {}),
  }
  const { lines, schedule, crewId } = { ...start, ...typed }
  const setLines = (next: LineForm[]) => setTyped((before) => ({ ...before, lines: next }))
  const setSchedule = (next: Schedule) => setTyped((before) => ({ ...before, schedule: next }))
  const setCrewId = (next: string) => setTyped((before) => ({ ...before, crewId: next }))
  const [chosenPast, setPast] = useState<Past | null>(null)
  const [instructions, setInstructions] = useState('')
  const [keepDay, setKeepDay] = useState(false)
  const [billing, setBilling] = useState<JobRecord['billing']>('per_visit')
  const [problem, setProblem] = useState<string | null>(null)
  const [placeError, setPlaceError] = useState<string | undefined>(undefined)
  const [errors, setErrors] = useState<Record<number, string>>({})

  const usual = usualPast(schedule, calendar.today)
  // One day that is over is done or still to do; leaving it out would book nothing.
  const past = chosenPast === null || (chosenPast === 'none' && usual === 'done') ? usual : chosenPast
  const choose = (id: string | null) => {
    setPlaceError(undefined)
    setErrors({})
    setQuery(
      (old) => {
        const next = new URLSearchParams(old)
        next.delete(recordParam.customer)
        if (id) next.set('propertyId', id)
        else next.delete('propertyId')
        return next
      },
      { replace: true },
    )
  }
  const search = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
    const customerId = text === '' ? query.get(recordParam.customer) : null
    const { items } = await call(
      jobsApi.places,
      { query: { ...(text ? { q: text } : {}), ...(customerId ? { customerId } : {}), limit: 20 } },
      { signal },
    )
    return items.map((p) => ({ value: p.propertyId, label: `${p.customerName}, ${p.street}`, hint: p.city }))
  }
  const lawn = place
  // what the chosen services go by, each measure once
  const wanted = lines.flatMap((line) => {
    const service = services.find((s) => s.id === line.serviceId)
    return service && goesBySize(service) ? [service.measuredBy] : []
  })
  const goesBy = measures.filter((one) => wanted.includes(one))
  const numbers = lines.map((line) =>
    numbersOf(
      line,
      services.find((s) => s.id === line.serviceId),
      lawn,
      schedule,
    ),
  )
  const missing = numbers.some((n) => n.totalCents === null)
  const unruled = numbers.find((n) => n.rule.cents === null && n.totalCents === null)
  const totalCents = numbers.reduce((sum, n) => sum + (n.totalCents ?? 0), 0)
  const minutes = numbers.reduce((sum, n) => sum + n.minutes, 0)
  const already = place
    ? services.filter((s) => place.serviceIds.includes(s.id) && lines.some((l) => l.serviceId === s.id))
    : []

  const comesBack = lines.some((line) => (line.schedule ?? schedule).recurrence !== null)

  const book = async () => {
    setProblem(null)
    setErrors({})
    if (!place) return setPlaceError('Choose where the work is done.')
    try {
      const job = await create.mutateAsync({
        propertyId: place.propertyId,
        ...spanOf(schedule),
        crewId: crewId || null,
        instructions,
        billing,
        ...(comesBack ? { keepDay } : {}),
        lines: linesToSend(lines, schedule),
        includePast: past !== 'none',
        pastDone: past === 'done',
      })
      const finished = job.totals.doneVisits
      const open = `${job.openVisits} ${job.openVisits === 1 ? 'visit' : 'visits'} on the calendar`
      toast.success(
        `J-${job.number} created, ${finished > 0 ? `${finished} finished${job.openVisits > 0 ? `, ${open}` : ''}` : open}`,
      )
      navigate(linkTo.job(job.id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const found = problemsOf(error)
      setErrors(found.byLine)
      setProblem(found.problem)
    }
  }

  return (
    <form
      className="job-book"
      onSubmit={(event) => {
        event.preventDefault()
        if (!focusUnread(event.currentTarget)) void book()
      }}
    >
      <Card title="Where and what">
        <div className="ui-form">
          <ComboboxField
            label="Customer and property"
            placeholder="Name or street"
            value={place ? { value: place.propertyId, label: `${place.customerName}, ${place.street}` } : null}
            onChange={(choice) => choose(choice?.value ?? null)}
            search={search}
            emptyText="Nobody found by that name or street"
            error={placeError}
          />
          {place ? (
            <p className="muted job-book__lawn">
              {goesBy.map((measuredBy, at) => (
                <span key={measuredBy}>
                  {at > 0 ? ' ' : null}
                  <MeasureFirst measuredBy={measuredBy} place={place} orType={canPrice} />
                  {measureOf({ measuredBy }, place).size === null ? null : ','}
                </span>
              ))}{' '}
              difficulty {place.difficulty} of 5
            </p>
          ) : null}
          {proposal ? (
            <Banner
              tone="info"
              action={
                <Button
                  size="s"
                  onClick={() => {
                    setTyped({})
                    setFromLast(false)
                  }}
                >
                  Start empty
                </Button>
              }
            >
              As in J-{proposal.jobNumber}, the last job here: services, prices, rhythm and crew.
            </Banner>
          ) : null}
          {already.length > 0 ? (
            <Banner tone="info">
              {already.map((s) => s.name).join(', ')} is booked here already. A second job makes a second visit.
            </Banner>
          ) : null}
          <WorkFields
            lines={lines}
            onLines={setLines}
            schedule={schedule}
            onSchedule={setSchedule}
            lawn={lawn}
            services={services}
            calendar={calendar}
            canPrice={canPrice}
            errors={errors}
            hidePreview
            allowPast
          />
          {canPrice ? (
            <section className="job-part">
              <h3>Billing</h3>
              <BillingField hideLabel value={billing} onChange={setBilling} />
            </section>
          ) : null}
          <section className="job-part">
            <h3>Crew</h3>
            <CrewFields
              crewId={crewId}
              onCrew={setCrewId}
              hideLabel
              instructions={instructions}
              onInstructions={setInstructions}
            />
            {comesBack ? (
              <CheckboxField
                label="Keep this day"
                hint="The season planner never proposes another day or week for this job."
                value={keepDay}
                onChange={setKeepDay}
              />
            ) : null}
          </section>
        </div>
      </Card>
      <aside className="job-sum" aria-label="This job">
        <Card title="This job">
          <dl className="job-sum__numbers">
            {canPrice ? (
              <div>
                <dt>A visit</dt>
                <dd className="num">{missing ? '–' : <Money cents={totalCents} />}</dd>
              </div>
            ) : null}
            <div>
              <dt>Work, one person</dt>
              <dd className="num">{lawn ? formatDuration(minutes * 60) : '–'}</dd>
            </div>
          </dl>
          {canPrice && unruled && lawn ? <p className="hint">A price is missing: {unruled.rule.reason}.</p> : null}
          <SchedulePreview value={schedule} calendar={calendar} />
          <FirstVisit
            lines={lines.map((line) => line.schedule ?? schedule)}
            schedule={schedule}
            calendar={calendar}
            past={{ choice: past, onChange: setPast }}
            crew={{
              id: crewId || null,
              skills: lines.map((line) => services.find((s) => s.id === line.serviceId)?.skills ?? []),
            }}
          />
          {problem ? <Banner tone="error">{problem}</Banner> : null}
          <Button calls={jobsApi.create} kind="primary" size="l" wide type="submit" loading={create.isPending}>
            {place ? `Create job for ${place.customerName}` : 'Create job'}
          </Button>
        </Card>
      </aside>
    </form>
  )
}

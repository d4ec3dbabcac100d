import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '#src/shared/client.ts'
import { type Day, formatDay, formatDuration } from '#src/shared/dates.ts'
import { linkTo, recordParam } from '#src/shared/links.ts'
import { has } from '#src/shared/roles.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { type Choice, ComboboxField } from '#src/ui/ComboboxField.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { Money } from '#src/ui/Money.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { CardSkeleton, TableSkeleton } from '#src/ui/Skeleton.tsx'
import { SwitchField } from '#src/ui/SwitchField.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { MeasureFirst } from '../../../customers/areas/web/MeasureFirst.tsx'
import { measures, needsMeasure } from '../../../services/measures/rules.ts'
import { jobsApi } from '../../contract.ts'
import type { Calendar } from '../../rules.ts'
import { CrewFields } from '../../web/CrewFields.tsx'
import { placeQuery, placesOfCustomerQuery } from '../../web/data.ts'
import { type ProgramRecord, programsApi } from '../contract.ts'
import { programPreviewQuery, programsQuery, usePutOnProgram } from './data.ts'
import './programs.css'

/** The rounds as they would be at the property, and what they come to. */
const Rounds = ({
  preview,
  seesMoney,
  today,
}: {
  preview: ReturnType<typeof usePreview>['data'] & object
  seesMoney: boolean
  today: Day
}) => {
  const kept = preview.steps.filter((step) => !step.past)
  const already = preview.already !== null
  const unpriced = seesMoney ? (kept.find((step) => step.missing !== null)?.missing ?? null) : null
  const day = (text: string) => formatDay(text, { year: !text.startsWith(today.slice(0, 4)) })
  return (
    <>
      <ol className="prg-rounds" aria-label="Rounds">
        {preview.steps.map((step) => (
          <li key={`${step.name}${step.opensOn}`} className={step.past ? 'is-past' : undefined}>
            <span>
              <b>{step.name}</b>
              <br />
              <span className="hint">
                {step.past ? (
                  'Its window is past: left out'
                ) : (
                  <>
                    <span className="num">
                      {day(step.opensOn)} to {day(step.closesOn)}
                    </span>
                    {step.minGapDays > 0 ? `, ${step.minGapDays} days after the last` : ''}
                    {step.also && !already ? (
                      <b className="prg-rounds__also">
                        <LinkTo href={linkTo.job(step.also.id)}>J-{step.also.number}</LinkTo> does the same work here
                        then
                      </b>
                    ) : null}
                  </>
                )}
              </span>
            </span>
            {step.past ? (
              <span />
            ) : (
              <span className="prg-rounds__side num">
                {step.priceCents === null ? null : <Money cents={step.priceCents} />}
                <br />
                <span className="hint">{formatDuration(step.minutes * 60)}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
      <dl className="job-sum__numbers">
        {seesMoney ? (
          <div>
            <dt>The season</dt>
            <dd className="num">
              {unpriced ? '–' : <Money cents={kept.reduce((sum, step) => sum + (step.priceCents ?? 0), 0)} />}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>Rounds</dt>
          <dd className="num">{kept.length}</dd>
        </div>
      </dl>
      {unpriced ? <p className="hint">A price is missing: the rule {needsMeasure[unpriced]}.</p> : null}
    </>
  )
}

const usePreview = (programId: string | null, propertyId: string | null, year: number | null) =>
  useQuery({
    ...programPreviewQuery(programId ?? '', propertyId ?? '', year),
    enabled: programId !== null && propertyId !== null,
  })

const PutOnForm = ({ programs, calendar }: { programs: readonly ProgramRecord[]; calendar: Calendar }) => {
  const seesMoney = has(useUser(), 'money')
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const customerId = query.get(recordParam.customer)
  const ofCustomer = useQuery({
    ...placesOfCustomerQuery(customerId ?? ''),
    enabled: customerId !== null && query.get('propertyId') === null,
  })
  const propertyId = query.get('propertyId') ?? (ofCustomer.data?.length === 1 ? ofCustomer.data[0]?.propertyId : null)
  const programId = programs.find((one) => one.id === query.get(recordParam.program))?.id ?? programs[0]?.id ?? null
  const place = useQuery({ ...placeQuery(propertyId ?? ''), enabled: Boolean(propertyId) }).data ?? null
  const [chosenYear, setYear] = useState<number | null>(null)
  const [crewId, setCrewId] = useState('')
  const [instructions, setInstructions] = useState('')
  const [chosenRenews, setRenews] = useState<boolean | null>(null)
  const renews = chosenRenews ?? programs.find(({ id }) => id === programId)?.renews ?? false
  const [placeError, setPlaceError] = useState<string | undefined>(undefined)
  const [problem, setProblem] = useState<string | null>(null)
  const preview = usePreview(programId, propertyId ?? null, chosenYear)
  const putOn = usePutOnProgram()
  const year = chosenYear ?? preview.data?.year ?? Number(calendar.today.slice(0, 4))
  const present = Number(calendar.today.slice(0, 4))
  const set = (key: string, value: string | null) => {
    setPlaceError(undefined)
    setProblem(null)
    setQuery(
      (old) => {
        const next = new URLSearchParams(old)
        if (key === 'propertyId') next.delete(recordParam.customer)
        if (value) next.set(key, value)
        else next.delete(key)
        return next
      },
      { replace: true },
    )
  }
  const search = async (text: string, signal: AbortSignal): Promise<Choice[]> => {
    const { items } = await call(
      jobsApi.places,
      { query: { ...(text ? { q: text } : {}), ...(!text && customerId ? { customerId } : {}), limit: 20 } },
      { signal },
    )
    return items.map((p) => ({ value: p.propertyId, label: `${p.customerName}, ${p.street}`, hint: p.city }))
  }
  const book = async () => {
    setProblem(null)
    if (!place || !programId) return setPlaceError('Choose where the work is done.')
    try {
      const job = await putOn.mutateAsync({
        params: { id: programId },
        body: { propertyId: place.propertyId, year, crewId: crewId || null, instructions, renews },
      })
      toast.success(`J-${job.number} created with ${job.lines.length} ${job.lines.length === 1 ? 'round' : 'rounds'}`)
      navigate(linkTo.job(job.id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.errors[0]?.message ?? error.message)
    }
  }
  const already = preview.data?.already
  const missing = measures.filter((one) => preview.data?.steps.some((step) => !step.past && step.missing === one))
  return (
    <form
      className="job-book"
      onSubmit={(event) => {
        event.preventDefault()
        void book()
      }}
    >
      <Card title="Where and which">
        <div className="ui-form">
          <ComboboxField
            label="Customer and property"
            placeholder="Name or street"
            value={place ? { value: place.propertyId, label: `${place.customerName}, ${place.street}` } : null}
            onChange={(choice) => set('propertyId', choice?.value ?? null)}
            search={search}
            emptyText="Nobody found by that name or street"
            error={placeError}
          />
          {place
            ? missing.map((measuredBy) => (
                <p className="muted job-book__lawn" key={measuredBy}>
                  <MeasureFirst measuredBy={measuredBy} place={place} />
                </p>
              ))
            : null}
          <FieldGrid min={200}>
            <SelectField
              label="Program"
              value={programId}
              onChange={(id) => set(recordParam.program, id)}
              options={programs.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <SelectField
              label="Season"
              value={String(year)}
              onChange={(text) => setYear(Number(text))}
              options={[present, present + 1, present + 2].map((one) => ({ value: String(one), label: String(one) }))}
            />
          </FieldGrid>
          <CrewFields
            crewId={crewId}
            onCrew={setCrewId}
            placeholder="Decide when a round is placed"
            instructions={instructions}
            onInstructions={setInstructions}
          />
          <SwitchField
            label="Renews every season"
            hint="The job says when, with how many rounds and for how much; it can be stopped there."
            value={renews}
            onChange={setRenews}
          />
        </div>
      </Card>
      <aside className="job-sum" aria-label="This program">
        <Card title="This program">
          {!propertyId ? (
            <p className="muted">Choose a property to see the rounds with their prices.</p>
          ) : preview.error && !preview.data ? (
            <ErrorState compact error={preview.error} onRetry={() => preview.refetch()} />
          ) : preview.data ? (
            <Rounds preview={preview.data} seesMoney={seesMoney} today={calendar.today} />
          ) : (
            <TableSkeleton rows={6} columns={2} />
          )}
          {already ? (
            <Banner tone="info">
              It is on here for {year} already: <LinkTo href={linkTo.job(already.id)}>J-{already.number}</LinkTo>.
            </Banner>
          ) : null}
          {problem ? <Banner tone="error">{problem}</Banner> : null}
          <Button
            calls={programsApi.putOn}
            kind="primary"
            size="l"
            wide
            type="submit"
            loading={putOn.isPending}
            disabled={Boolean(already)}
          >
            {place ? `Put on for ${place.customerName}` : 'Put on'}
          </Button>
        </Card>
      </aside>
    </form>
  )
}

/** Puts a program of rounds on a property. */
export const PutOnProgram = ({ calendar }: { calendar: Calendar }) => {
  const programs = useQuery(programsQuery)
  if (programs.error && !programs.data)
    return <ErrorState error={programs.error} onRetry={() => programs.refetch()} retrying={programs.isFetching} />
  if (!programs.data) return <CardSkeleton count={2} height={320} />
  if (programs.data.length > 0) return <PutOnForm programs={programs.data} calendar={calendar} />
  return (
    <Card>
      <EmptyState
        title="No programs yet"
        action={
          <Button kind="primary" href={linkTo.program('new')}>
            Make a program
          </Button>
        }
      >
        A program is what you do in rounds over a season: which service, in which weeks, how far apart.
      </EmptyState>
    </Card>
  )
}

import './staffing.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { IconAlertTriangle } from '../../../../ui/icons.ts'
import { markColor } from '../../../../ui/markColor.ts'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import type { Employee } from '../../contract.ts'
import { crewsQuery } from '../../web/data.ts'
import { type CrewEffect, type CrewStretch, staffingApi } from '../contract.ts'
import { peopleLabel } from '../rules.ts'
import { type Asked, previewQuery, stretchesQuery, usePutOnCrew } from './data.ts'

const spanLabel = ({ from, to }: Pick<CrewStretch, 'from' | 'to'>, today: string): string => {
  const day = (one: string) => formatDay(one, { year: one.slice(0, 4) !== today.slice(0, 4) })
  return to === null ? `from ${day(from)}` : from === to ? `on ${day(from)} only` : `${day(from)} to ${day(to)}`
}

const Stretch = ({ stretch, today, past }: { stretch: CrewStretch; today: string; past?: boolean }) => (
  <li className={past ? 'crewdays__past' : undefined}>
    <i style={{ background: markColor(stretch.crew.color) }} aria-hidden="true" />
    <b>{stretch.crew.name}</b>
    <span className="hint">{spanLabel(stretch, today)}</span>
  </li>
)

/** "North: 1 person instead of 2 on 20 work days from Mon, Nov 30 (48 stops)." */
const effectLabel = ({ crew, days, firstDay, stops, peopleBefore, peopleAfter }: CrewEffect): string =>
  `${crew.name}: ${peopleLabel(peopleAfter)} instead of ${peopleBefore} ${
    days === 1 ? `on ${formatDay(firstDay)}` : `on ${days} work days from ${formatDay(firstDay)}`
  }${stops > 0 ? ` (${stops === 1 ? '1 stop' : `${stops} stops`})` : ''}.`

const Effects = ({ userId, asked }: { userId: string; asked: Asked }) => {
  const found = useQuery({ ...previewQuery(userId, asked), placeholderData: keepPreviousData })
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={48} />
  const { effects, until } = found.data
  return (
    <div className="crewdays__effects" aria-live="polite" aria-busy={found.isPlaceholderData}>
      {effects.length === 0 ? (
        <p className="hint">No crew has other people by this, up to {formatDay(until)}.</p>
      ) : null}
      {effects.map((effect) => (
        <p key={effect.crew.id}>
          {effectLabel(effect)}
          {effect.emptyDays > 0 ? (
            <span className="standin__warn">
              {' '}
              <IconAlertTriangle size={14} aria-hidden="true" />
              Nobody is left on {effect.emptyDays === 1 ? '1 day' : `${effect.emptyDays} days`} with stops.
            </span>
          ) : null}
          {effect.loses.length > 0 ? (
            <span className="standin__warn"> Its stops need {effect.loses.join(', ')}, which it loses.</span>
          ) : null}
        </p>
      ))}
      {asked.to === null && effects.length > 0 ? (
        <p className="hint">Looked through to {formatDay(until)}; it stays so after that.</p>
      ) : null}
    </div>
  )
}

/** Puts a person on another crew from a day on, or for some days; what follows is said before. */
export const CrewChange = ({
  person,
  today,
  crewId: wished,
  onDone,
}: {
  person: Employee
  today: string
  /** The crew to begin with; without it the one of now. Empty for none. */
  crewId?: string
  onDone: () => void
}) => {
  const crews = useQuery(crewsQuery)
  const { put, undo } = usePutOnCrew(person.id)
  const [crewId, setCrewId] = useState(wished ?? person.crew?.id ?? '')
  const [from, setFrom] = useState<string | null>(today)
  const [to, setTo] = useState<string | null>(null)
  const asked: Asked | null =
    from && from >= today && (to === null || to >= from) ? { crewId: crewId || null, from, to } : null
  const save = async () => {
    if (!asked) return
    try {
      const { changeId } = await put.mutateAsync(asked)
      onDone()
      const crew = crews.data?.items.find((one) => one.id === crewId)?.name ?? 'no crew'
      const said = `${person.name}: ${crew}, ${spanLabel(asked, today)}`
      if (changeId) toast.undo(said, () => undo.mutate(changeId), `crew:${person.id}`)
      else toast.success(`${said}. It was so already`)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <div className="crewdays__form">
      <SelectField
        label="Crew"
        value={crewId}
        onChange={setCrewId}
        options={[
          { value: '', label: 'No crew' },
          ...(crews.data?.items ?? []).map((crew) => ({ value: crew.id, label: crew.name })),
        ]}
      />
      <FieldGrid min={190}>
        <DateField
          label="From"
          value={from}
          onChange={setFrom}
          today={today}
          min={today}
          error={from ? undefined : 'From which day?'}
        />
        <DateField
          label="To"
          optional
          value={to}
          onChange={setTo}
          today={today}
          min={from ?? today}
          placeholder="Until further notice"
        />
      </FieldGrid>
      {asked ? <Effects userId={person.id} asked={asked} /> : null}
      <div className="people-signin__actions">
        <Button
          kind="primary"
          size="s"
          calls={staffingApi.put}
          disabled={!asked}
          loading={put.isPending}
          onClick={() => void save()}
        >
          Change the crew
        </Button>
        <Button size="s" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** When a person is on which crew: now, what comes, and what was. A change says what follows before it is made. */
export const CrewDays = ({ person }: { person: Employee }) => {
  const found = useQuery(stretchesQuery(person.id))
  const may = useMay()
  const [changing, setChanging] = useState(false)
  const [all, setAll] = useState(false)
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={48} />
  const { items, today } = found.data
  const past = items.filter((one) => one.to !== null && one.to < today)
  const rest = items.filter((one) => one.to === null || one.to >= today)
  return (
    <section className="crewdays" aria-labelledby={`crewdays-${person.id}`}>
      <h3 id={`crewdays-${person.id}`}>Crew</h3>
      {rest.length > 0 ? (
        <ol>
          {rest.map((one) => (
            <Stretch key={`${one.crew.id} ${one.from}`} stretch={one} today={today} />
          ))}
        </ol>
      ) : (
        <p className="hint">On no crew.</p>
      )}
      {past.length > 0 && all ? (
        <ol aria-label="Before">
          {past.toReversed().map((one) => (
            <Stretch key={`${one.crew.id} ${one.from}`} stretch={one} today={today} past />
          ))}
        </ol>
      ) : null}
      {changing ? (
        <CrewChange person={person} today={today} onDone={() => setChanging(false)} />
      ) : (
        <div className="people-signin__actions">
          {person.can.update && may(staffingApi.put) ? (
            <Button size="s" calls={staffingApi.put} onClick={() => setChanging(true)}>
              Change the crew…
            </Button>
          ) : null}
          {past.length > 0 ? (
            <Button size="s" kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Hide earlier crews' : `Earlier crews (${past.length})`}
            </Button>
          ) : null}
        </div>
      )}
    </section>
  )
}

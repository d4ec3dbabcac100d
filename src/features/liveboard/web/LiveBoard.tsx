import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { dayOf, formatMinute, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import type { MapPin } from '../../../ui/mapPins.ts'
import { markColor } from '../../../ui/markColor.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import { type LiveCrew, type LivePerson, type LiveStop, liveboardApi } from '../contract.ts'
import {
  type PersonState,
  personLabel,
  pinState,
  type StopState,
  sinceText,
  stopAtHand,
  stopLabel,
  stopStates,
} from '../rules.ts'
import { liveboardQuery } from './data.ts'
import './liveboard.css'

const stopColor: Record<StopState, string> = {
  working: 'var(--sky)',
  onTheWay: 'var(--sky)',
  paused: 'var(--sun)',
  done: 'var(--mowed)',
  skipped: 'var(--rust)',
  open: 'var(--ink-2)',
}
const personTone = {
  working: 'now',
  shop: 'now',
  rain: 'wait',
  break: 'wait',
  off: 'neutral',
  away: 'neutral',
} as const

const Person = ({ person, timeZone }: { person: LivePerson; timeZone: string }) => (
  <li>
    <LinkTo href={linkTo.person(person.id)}>{person.name}</LinkTo>
    <Badge tone={personTone[person.state satisfies PersonState]}>
      {personLabel[person.state]}
      {person.since ? ` since ${sinceText(person.since, dayOf(new Date(), timeZone), timeZone)}` : ''}
    </Badge>
    {person.position ? (
      <span className="hint">
        position seen <RelativeTime at={person.position.at} timeZone={timeZone} />
      </span>
    ) : null}
  </li>
)

const StopLine = ({ stop, timeZone }: { stop: LiveStop; timeZone: string }) => {
  const visitLink = useVisitLink()
  const href = visitLink?.(stop.visitId)
  const words = `${stop.number}. ${stop.street}, ${stop.customer}`
  return (
    <span className="live-stop">
      <i className={`live-dot is-${stop.state}`} />
      <span>
        {href ? <LinkTo href={href}>{words}</LinkTo> : words}
        <span className="hint">
          {' '}
          {stopLabel[stop.state]}
          {stop.since && (stop.state === 'working' || stop.state === 'paused' || stop.state === 'onTheWay')
            ? ` since ${sinceText(stop.since, dayOf(new Date(), timeZone), timeZone)}`
            : ''}
        </span>
      </span>
    </span>
  )
}

/** Nobody of it is on the clock: it is not between two stops. */
const isNobodyIn = ({ people }: LiveCrew): boolean =>
  people.length > 0 && people.every(({ state }) => state === 'off' || state === 'away')

const where = (crew: LiveCrew): string => {
  const left = crew.stops.filter(({ state }) => state === 'open').length
  if (crew.stops.length === 0) return 'No stops today'
  if (left === crew.stops.length) return 'Not begun yet'
  if (left > 0 && isNobodyIn(crew)) return 'Nobody is clocked in'
  return left === 0 ? 'All stops are done' : 'Between two stops'
}

const CrewCard = ({ crew, timeZone }: { crew: LiveCrew; timeZone: string }) => {
  const now = stopAtHand(crew.stops)
  const next = crew.stops.find(({ state }) => state === 'open')
  const lastKnown = crew.stops.find(({ visitId }) => visitId === crew.lastKnownVisitId)
  const count = (state: StopState) => crew.stops.filter((stop) => stop.state === state).length
  return (
    <section className="live-crew" aria-label={crew.name} style={{ borderTopColor: markColor(crew.color) }}>
      <h2>{crew.name}</h2>
      {lastKnown ? (
        <p className="hint">
          Last known stop: {lastKnown.number}. {lastKnown.street}
          {lastKnown.since ? `, ${sinceText(lastKnown.since, dayOf(new Date(), timeZone), timeZone)}` : ''}. Nobody
          shares a position.
        </p>
      ) : null}
      {now ? <StopLine stop={now} timeZone={timeZone} /> : <p className="muted">{where(crew)}</p>}
      {next ? (
        <p className="hint">
          Next: {next.number}. {next.street}
        </p>
      ) : null}
      {crew.stops.length > 0 ? (
        <p className="hint num">
          {count('done')} of {crew.stops.length} done
          {count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''}
          {crew.backAtMinute === null || (!now && !next) || isNobodyIn(crew)
            ? ''
            : ` · back about ${formatMinute(crew.backAtMinute)}`}
        </p>
      ) : null}
      {crew.people.length > 0 ? (
        <ul className="live-people">
          {crew.people.map((person) => (
            <Person key={person.id} person={person} timeZone={timeZone} />
          ))}
        </ul>
      ) : (
        <p className="hint">Nobody is on it today.</p>
      )}
    </section>
  )
}

const pinsOf = (crews: readonly LiveCrew[]): MapPin[] =>
  crews.flatMap((crew) =>
    crew.stops.flatMap((stop) =>
      stop.latitude === null || stop.longitude === null
        ? []
        : [
            {
              id: stop.visitId,
              lat: stop.latitude,
              lon: stop.longitude,
              // Of several crews each has its own letters: every one begins its day at 1.
              label: crews.length > 1 ? `${initials(crew.name).slice(0, 1)}${stop.number}` : stop.number,
              name: `${crew.name}, ${stop.number}. ${stop.street}: ${stopLabel[stop.state]}`,
              color: stop.state === 'open' ? markColor(crew.color) : stopColor[stop.state],
              // The map draws what is hollow with its color as an outline.
              state:
                stop.state === 'open'
                  ? ('done' as const)
                  : stop.state === 'skipped'
                    ? ('skipped' as const)
                    : ('now' as const),
            },
          ],
    ),
  )

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase()

/** People where their phones are, and crews of whom no phone is known at the stop where they were last. */
const livePins = (crews: readonly LiveCrew[], others: readonly LivePerson[], timeZone: string): MapPin[] => [
  ...[...crews, { name: 'Without a crew', people: others, stops: [] }].flatMap(({ name, people, stops }) =>
    people.flatMap((person) => {
      if (person.position === null) return []
      const { at, latitude, longitude } = person.position
      const state = pinState(person.state, stops)
      return [
        {
          id: `person:${person.id}`,
          kind: 'customer' as const,
          lat: latitude,
          lon: longitude,
          label: initials(person.name),
          name: `${person.name}, ${name}: position of ${formatTime(at, timeZone)}`,
          color: stopColor[state],
          state: state === 'open' ? ('done' as const) : ('now' as const),
        },
      ]
    }),
  ),
  ...crews.flatMap((crew) => {
    const stop = crew.stops.find(({ visitId }) => visitId === crew.lastKnownVisitId)
    if (!stop || stop.latitude === null || stop.longitude === null) return []
    return [
      {
        id: `crew:${crew.id}`,
        kind: 'customer' as const,
        lat: stop.latitude,
        lon: stop.longitude,
        label: initials(crew.name),
        name: `${crew.name}: last known stop, ${stop.street}`,
        color: stopColor[stop.state],
        state: 'now' as const,
        rough: true,
      },
    ]
  }),
]

const Board = ({ crews, others }: { crews: readonly LiveCrew[]; others: readonly LivePerson[] }) => {
  const { timeZone } = useUser().business
  const [openId, setOpenId] = useState<string | null>(null)
  const pins = useMemo(() => [...pinsOf(crews), ...livePins(crews, others, timeZone)], [crews, others, timeZone])
  const all = crews.flatMap(({ stops }) => stops)
  const open = all.find(({ visitId }) => visitId === openId)
  const openPin = pins.find(({ id }) => id === openId)
  return (
    <>
      {pins.length > 0 ? (
        <Card flush>
          <MapView
            label="Stops and people of today"
            pins={pins}
            fitKey={`${pinsOf(crews).length}`}
            height={380}
            onPinClick={setOpenId}
            cooperative
          />
          <ul className="live-legend" aria-label="What the colors say">
            {stopStates
              .filter((state) => state !== 'onTheWay')
              .map((state) => (
                <li key={state}>
                  <i className={`live-dot is-${state}`} />
                  {state === 'working' ? 'being worked, or on the way' : stopLabel[state]}
                </li>
              ))}
          </ul>
          {open ? (
            <p className="live-open" role="status">
              <StopLine stop={open} timeZone={timeZone} />
            </p>
          ) : openPin ? (
            <p className="live-open" role="status">
              {openPin.name}
            </p>
          ) : null}
        </Card>
      ) : null}
      <div className="live-crews">
        {crews.map((crew) => (
          <CrewCard key={crew.id} crew={crew} timeZone={timeZone} />
        ))}
        {others.length > 0 ? (
          <section className="live-crew" aria-label="Without a crew">
            <h2>Without a crew</h2>
            <ul className="live-people">
              {others.map((person) => (
                <Person key={person.id} person={person} timeZone={timeZone} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </>
  )
}

/** Who is where doing what, as stops and clocks say it right now. */
export const LiveBoard = ({ bar }: { bar: ReactNode }) => {
  const may = useMay()(liveboardApi.now)
  const found = useQuery({ ...liveboardQuery, enabled: may })
  return (
    <>
      <PageHeader
        title="Right now"
        sub="By the stops and the clock of each phone; positions only of who shares them, on the clock."
      />
      {bar}
      {!may ? (
        <EmptyState title="Planning the days is not part of your role" picture="none">
          Ask the owner of your business for the permission “Schedule” to see who is where.
        </EmptyState>
      ) : found.error && !found.data ? (
        <ErrorState error={found.error} title="We could not load who is where" onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <div className="live-crews" aria-busy="true">
          <CardSkeleton />
          <CardSkeleton />
        </div>
      ) : found.data.crews.length + found.data.others.length === 0 ? (
        <EmptyState title="No crew yet" picture="unmowed">
          Crews show here with their people and stops as soon as there is one.
        </EmptyState>
      ) : (
        <Board crews={found.data.crews} others={found.data.others} />
      )}
    </>
  )
}

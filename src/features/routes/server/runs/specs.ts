import type { z } from 'zod'
import { addDays, type Day, daysBetween, formatDay } from '../../../../shared/dates.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import type { RouteRun, routesApi } from '../../contract.ts'
import { heldReason, latestEnd } from '../../rain/rules.ts'
import { assertCrews, assertOpen } from '../day/day-guards.ts'
import { closedOn, crewDayId, type DayVisit, isBegun, ordersOf, type PlanningContext } from '../day/planning-context.ts'
import type { RainAsked } from '../rain/preview.ts'
import type { PlanTask } from '../search/plan-task.ts'
import { type PlanRequest, planTaskOf, type SearchInput, searchInputOf } from '../search/search-input.ts'
import { daysOf, type StoredPlan } from './run-rows.ts'

/** The three things that a planner may ask of the engine, as one kind of searchInput. */

/** What a search is made from, once the days are read. */
export type Ready = {
  contexts: PlanningContext[]
  label: string
  searchInput: SearchInput | null
  task: PlanTask | null
  crewIds: string[]
  closed: string[]
  off: NonNullable<StoredPlan['off']>
  skipped: string[]
  /** A rain push: what it was asked for. */
  rain?: RainAsked & { held: ReadonlySet<string> }
}

export type Spec = {
  kind: RouteRun['kind']
  /** Compared with another search's: the same request is the same search. */
  request: object
  days: Day[]
  apply: boolean
  prepare: (contexts: PlanningContext[]) => Ready
}

type BodyOf<K extends 'optimize' | 'rain' | 'crewOut'> = z.output<(typeof routesApi)[K]['body']>
const mostDays = 14
/** Somebody looks at the sky and at the screen: a preview comes at once, and is looked for again with other days. */
const rainLimitMs = 800

const guard = (contexts: PlanningContext[], crewIds: readonly string[] | undefined): PlanningContext => {
  const [first] = contexts
  if (!first) throw conflict('There is no day to plan.')
  assertOpen(first.data.day, first.data.today)
  assertCrews(first, crewIds)
  if (first.data.crews.length === 0)
    throw conflict('There is no crew to plan for yet. Add your first crew, then plan the day.')
  return first
}

const rangeLabel = (first: Day, last: Day): string =>
  first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`

export const optimizeSpec = (body: BodyOf<'optimize'>): Spec => {
  const last = body.lastDay ?? body.day
  const count = daysBetween(body.day, last) + 1
  if (count < 1) throw invalid([{ path: 'lastDay', message: 'The last day is before the first.' }])
  if (count > mostDays)
    throw invalid([{ path: 'lastDay', message: `At most ${mostDays} days can be planned at once.` }])
  const input: PlanRequest = {
    crewIds: body.crewIds,
    keepAssignments: body.keepAssignments,
    placeDue: body.placeDue,
    moveDays: count > 1 ? body.moveDays : 0,
  }
  return {
    kind: 'optimize',
    request: { kind: 'optimize', ...body },
    days: daysOf(body.day, last),
    apply: body.apply,
    prepare: (contexts) => {
      const first = guard(contexts, body.crewIds)
      const searchInput = searchInputOf(contexts, input)
      const names = first.data.crews.filter((c) => body.crewIds?.includes(c.id)).map((c) => c.name)
      const what =
        body.keepAssignments && names.length === 1
          ? `Best order for ${names[0]}`
          : names.length === 1
            ? `Optimize ${names[0]}`
            : 'Optimize'
      return {
        contexts,
        label: count > 1 ? `${what}, ${rangeLabel(body.day, last)}` : what,
        searchInput,
        task:
          searchInput &&
          planTaskOf(searchInput, {
            longer: body.longer,
            evenness: body.evenness ?? first.data.business.routeEvenness,
          }),
        crewIds: searchInput?.crewIds ?? body.crewIds ?? first.data.crews.map((crew) => crew.id),
        closed: [],
        off: [],
        skipped: [],
      }
    },
  }
}

const openStops = (context: PlanningContext, crewIds: ReadonlySet<string>): DayVisit[] =>
  [...ordersOf(context)].flatMap(([crewId, ids]) =>
    crewIds.has(crewId) ? ids.flatMap((id) => context.byId.get(id) ?? []) : [],
  )

/** Days of a horizon that stops may go to: open ones on which somebody works, as many as were asked for, and the day given to make up. */
const usable = (
  contexts: readonly PlanningContext[],
  most: number,
  chosen: ReadonlySet<Day> = new Set(),
  onlyChosen = false,
): PlanningContext[] => {
  const [first, ...later] = contexts
  const isOpen = ({ data }: PlanningContext): boolean =>
    data.crews.some((crew) => crew.works) && (chosen.has(data.day) || (!onlyChosen && closedOn(data) === null))
  return first ? [first, ...later.filter(isOpen).slice(0, most)] : []
}

/** Days that take in rained-off stops may run over their shift a little. */
const toFullest = (searchInput: SearchInput): SearchInput => ({
  ...searchInput,
  problem: {
    ...searchInput.problem,
    crewDays: searchInput.problem.crewDays.map((crewDay) => ({
      ...crewDay,
      shiftEndSeconds: latestEnd({ start: crewDay.shiftStartSeconds, end: crewDay.shiftEndSeconds }),
    })),
  },
})

const sentIds = (contexts: readonly PlanningContext[]): string[] =>
  contexts.flatMap((context) => context.data.visits.filter((v) => v.publishedDay !== null).map((v) => v.id))

/** Visits of closed crews may go to any day from theirs on, those of others stay on their own. */
const onlyClosed = (
  contexts: readonly PlanningContext[],
  gone: ReadonlySet<string>,
  first: Day,
): NonNullable<PlanRequest['daysFor']> => {
  const later = new Set(contexts.map((g) => g.data.day))
  return (visit, context) =>
    gone.has(visit.crewId ?? '') && context.data.day === first ? later : new Set([context.data.day])
}

export const rainSpec = (body: BodyOf<'rain'>): Spec => {
  const { day, makeUpDay } = body
  const chosen = new Set([...(makeUpDay ? [makeUpDay] : []), ...(body.onDays ?? [])])
  const isAway = (one: Day): boolean => daysBetween(day, one) < 1 || daysBetween(day, one) >= mostDays
  for (const [path, days] of [
    ['makeUpDay', makeUpDay ? [makeUpDay] : []],
    ['onDays', body.onDays ?? []],
  ] as const)
    if (days.some(isAway))
      throw invalid([{ path, message: `The make-up day is one of the ${mostDays - 1} days after.` }])
  return {
    kind: 'rain',
    request: { kind: 'rain', ...body },
    days: daysOf(day, addDays(day, mostDays - 1)),
    apply: false,
    prepare: (all) => {
      const first = guard(all, body.crewIds)
      // A weekend may be given to make up, a holiday not: nobody is asked to come in on it by mistake.
      const holiday = [...chosen].find((one) => first.data.business.holidays.includes(one))
      if (holiday)
        throw invalid([
          {
            path: holiday === makeUpDay ? 'makeUpDay' : 'onDays',
            message: `${formatDay(holiday)} is a holiday of yours. Pick another day.`,
          },
        ])
      const made = all.map((context) =>
        context.data.day === makeUpDay ||
        (chosen.has(context.data.day) && !context.data.crews.some((crew) => crew.works))
          ? {
              ...context,
              data: { ...context.data, crews: context.data.crews.map((c) => ({ ...c, works: c.off === null })) },
            }
          : context,
      )
      const orders = ordersOf(first)
      const gone = new Set(
        first.data.crews
          .filter((c) => (body.crewIds ? body.crewIds.includes(c.id) : c.works || (orders.get(c.id)?.length ?? 0) > 0))
          .map((c) => c.id),
      )
      const stops = openStops(first, gone)
      if (stops.length === 0) throw conflict('No open stops are planned for this day. There is nothing to move.')
      const isHeld = (v: DayVisit): boolean => heldReason(v) !== null && !body.moveIds.includes(v.id)
      const held = new Set(stops.filter(isHeld).map((v) => v.id))
      if (held.size === stops.length)
        throw conflict(
          `Every open stop of this day is pinned, promised or was put there by hand. Say which of them may move${stops.length > 12 ? '' : `: ${stops.map((v) => v.street).join(', ')}`}.`,
        )
      const skipped =
        body.strategy === 'skip' ? stops.filter((v) => v.recurring && !held.has(v.id)).map((v) => v.id) : []
      const days = usable(made, body.onDays ? mostDays : body.days, chosen, body.onDays !== undefined)
      const contexts = days.map((context) => without(context, [...skipped, ...held]))
      const closed = [...gone].map((id) => crewDayId(id, day))
      const off = [...gone].map((crewId) => ({ crewId, day, reason: 'rain' as const }))
      const push = body.strategy === 'push'
      const searchInput = searchInputOf(contexts, {
        keepAssignments: false,
        placeDue: false,
        moveDays: 0,
        daysFor: push ? () => null : onlyClosed(contexts, gone, day),
      })
      const fuller = searchInput && toFullest(searchInput)
      const fixed = contexts.slice(1).flatMap(({ data }) => data.visits.filter((v) => heldReason(v)).map((v) => v.id))
      return {
        contexts: days,
        label: `Rain on ${formatDay(day)}`,
        searchInput: fuller,
        task:
          fuller &&
          planTaskOf(fuller, {
            closed,
            fixed,
            limitMs: rainLimitMs,
            kind: push ? 'push' : 'replan',
            announced: sentIds(contexts),
          }),
        rain: {
          strategy: body.strategy,
          crewIds: body.crewIds ?? null,
          onDays: body.onDays ?? null,
          makeUpDay: makeUpDay ?? null,
          moveIds: body.moveIds,
          stops,
          held,
        },
        crewIds: first.data.crews.map((c) => c.id),
        closed,
        off,
        skipped,
      }
    },
  }
}

/** The day as it is planned when some visits are left out. */
const without = (context: PlanningContext, ids: readonly string[]): PlanningContext =>
  ids.length === 0
    ? context
    : { ...context, data: { ...context.data, visits: context.data.visits.filter((v) => !ids.includes(v.id)) } }

export const crewOutSpec = ({ day, crewId, days }: BodyOf<'crewOut'>): Spec => ({
  kind: 'crew_out',
  request: { kind: 'crew_out', day, crewId, days },
  days: days === 0 ? [day] : daysOf(day, addDays(day, mostDays - 1)),
  apply: false,
  prepare: (all) => {
    const first = guard(all, [crewId])
    const crew = first.data.crews.find((c) => c.id === crewId)
    const gone = new Set([crewId])
    const stops = openStops(first, gone)
    if (!crew || stops.length === 0) throw conflict(`${crew?.name ?? 'This crew'} has no open stops on this day.`)
    if (first.data.visits.some((v) => v.crewId === crewId && ['en_route', 'in_progress', 'paused'].includes(v.status)))
      throw conflict(`${crew.name} is at work on a stop right now. Finish or skip it first, then spread the rest.`)
    const contexts = usable(all, days)
    const closed = [crewDayId(crewId, day)]
    const searchInput = searchInputOf(contexts, {
      keepAssignments: false,
      placeDue: false,
      moveDays: 0,
      ...(contexts.length > 1 ? { daysFor: onlyClosed(contexts, gone, day) } : {}),
    })
    return {
      contexts,
      label: `${crew.name} is out on ${formatDay(day)}`,
      searchInput: searchInput && loosened(searchInput, stops),
      task:
        searchInput &&
        planTaskOf(loosened(searchInput, stops), {
          closed,
          kind: contexts.length > 1 ? 'replan' : 'spread',
          announced: sentIds(contexts),
        }),
      crewIds: first.data.crews.map((c) => c.id),
      closed,
      off: [{ crewId, day, reason: 'out' }],
      skipped: [],
    }
  },
})

/** Pins to a crew that is out hold nothing. */
const loosened = (searchInput: SearchInput, stops: readonly DayVisit[]): SearchInput => {
  const ids = new Set(stops.map((v) => v.id))
  return {
    ...searchInput,
    problem: {
      ...searchInput.problem,
      visits: searchInput.problem.visits.map(({ pin, ...visit }) =>
        pin && !ids.has(visit.id) ? { ...visit, pin } : visit,
      ),
    },
  }
}

/** What the days looked like: a proposal is for nothing else. */
export const fingerprint = (contexts: readonly PlanningContext[]): string =>
  JSON.stringify(
    contexts.map(({ data }) => [
      data.day,
      closedOn(data),
      data.crews.map(({ name: _, color: __, members: ___, works: ____, ...crew }) => crew),
      data.visits.map((v) => [
        v.id,
        v.day,
        v.crewId,
        v.position,
        v.pinned,
        v.status,
        v.latitude,
        v.longitude,
        v.budgetMinutes,
        v.windowStartMinute,
        v.windowEndMinute,
        v.skills,
        isBegun(v),
      ]),
    ]),
  )

import { setImmediate } from 'node:timers/promises'
import { type Day, daysBetween } from '../../../../shared/dates.ts'
import { skillWarning } from '../../../visits/days/rules.ts'
import type { PlanChange, RouteTotals, RunResult } from '../../contract.ts'
import { adviceFor, changeKind, gapWarning, mustNotify } from '../../proposals/rules.ts'
import { addTotals } from '../../rules.ts'
import {
  crewDayId,
  type DayVisit,
  isBegun,
  isRoutable,
  type Orders,
  ordersOf,
  type PlanCrew,
  type PlanningContext,
} from '../day/planning-context.ts'
import { sequenceDay } from '../plan/sequence.ts'
import { inBookedOrders, sumOf } from '../plan/totals.ts'
import { outsideReason, reasonLabel } from '../plan/unplaced.ts'
import type { PlanAnswer, PlanTask } from '../search/plan-task.ts'
import type { StoredPlan } from './run-rows.ts'

/** What a search found, as orders of days, and what that changes for crews and customers. */

const mostChanges = 500

/** The plan of a thread as orders of crews by day. Stops that no engine can plan stay last with their crew. */
export const storedPlan = (
  contexts: readonly PlanningContext[],
  crewIds: readonly string[],
  plan: PlanAnswer['plan'],
  closed: readonly string[] = [],
  held: ReadonlySet<string> = new Set(),
): NonNullable<StoredPlan['days']> => {
  const found = new Map(plan.routes.map((route) => [route.crewDayId, route.visitIds]))
  return contexts.map((context) => {
    const old = ordersOf(context)
    return {
      day: context.data.day,
      crews: context.data.crews.flatMap((crew) => {
        const id = crewDayId(crew.id, context.data.day)
        if (!crewIds.includes(crew.id) && !found.has(id)) return []
        const visitIds = found.get(id)
        if (!visitIds && !closed.includes(id)) return []
        const apart = (old.get(crew.id) ?? []).filter((visitId) => {
          const visit = context.byId.get(visitId)
          return visit !== undefined && !isRoutable(context, visit)
        })
        // What is held stays with its crew on the closed day: it waits there for a person.
        const stays = closed.includes(id) ? (old.get(crew.id) ?? []).filter((one) => held.has(one)) : apart
        return [{ crewId: crew.id, visitIds: [...(visitIds ?? []), ...stays] }]
      }),
    }
  })
}

type Placed = { day: Day; crewId: string | null; crewName: string | null; startMinute: number | null }

/** Where each open visit stands in a plan of some days. Between two days others have their turn: a fortnight at once would hold up the server. */
const placesIn = async (
  contexts: readonly PlanningContext[],
  byDay: ReadonlyMap<Day, Orders>,
): Promise<Map<string, Placed>> => {
  const places = new Map<string, Placed>()
  for (const context of contexts) {
    const orders = byDay.get(context.data.day) ?? new Map()
    await setImmediate()
    for (const route of sequenceDay(context, orders))
      for (const { visit, begun, startMinute } of route.stops)
        if (!begun)
          places.set(visit.id, { day: context.data.day, crewId: route.crew.id, crewName: route.crew.name, startMinute })
  }
  for (const context of contexts)
    for (const visit of context.data.visits)
      if (!isBegun(visit) && !places.has(visit.id))
        places.set(visit.id, { day: visit.day, crewId: null, crewName: null, startMinute: null })
  return places
}

/** What differs between two plans of the same days, visit by visit. */
export const changesBetween = async (
  contexts: readonly PlanningContext[],
  before: ReadonlyMap<Day, Orders>,
  after: ReadonlyMap<Day, Orders>,
  skipped: ReadonlySet<string> = new Set(),
  notesOf: NotesOf = () => [],
): Promise<PlanChange[]> => {
  const old = await placesIn(contexts, before)
  const now = await placesIn(contexts, after)
  const shown = ({ day, crewName, startMinute }: Placed) => ({ day, crewName, startMinute })
  const changes: PlanChange[] = []
  /** What speaks against a place, by the crew as it is on that day. */
  const notesOn = (visit: DayVisit, to: Placed): (string | null)[] => {
    const there = contexts.find((one) => one.data.day === to.day) ?? contexts[0]
    const crew = there?.data.crews.find((one) => one.id === to.crewId)
    return [crew ? skillWarning(crew, visit.skills, to.day) : null, ...notesOf(visit, { ...to, crew })]
  }
  for (const context of contexts)
    for (const visit of context.data.visits) {
      const [from, to] = [old.get(visit.id), now.get(visit.id)]
      if (!from || !to) continue
      const kind = skipped.has(visit.id) ? 'skipped' : changeKind(from, to)
      if (!kind) continue
      const moved = daysBetween(from.day, to.day)
      const notes = [
        kind === 'other-day' && visit.locked ? 'Was put on its day by hand.' : null,
        kind === 'other-day' ? gapWarning(visit, moved) : null,
        ...(kind === 'skipped' || kind === 'dropped' ? [] : notesOn(visit, to)),
      ].filter(Boolean)
      changes.push({
        visitId: visit.id,
        street: visit.street,
        customerName: visit.customerName,
        kind,
        from: shown(from),
        to: shown(to),
        sent: visit.publishedDay !== null,
        warning: notes.join(' ') || null,
      })
    }
  return changes
}

/** What else is to be looked at where a visit goes. */
type NotesOf = (
  visit: DayVisit,
  to: { day: Day; startMinute: number | null; crew: PlanCrew | undefined },
) => readonly string[]

export const notifyCount = (changes: readonly PlanChange[]): number =>
  new Set(changes.filter(mustNotify).map((change) => change.customerName + change.street)).size

type Found = {
  contexts: readonly PlanningContext[]
  after: ReadonlyMap<Day, Orders>
  crewIds: readonly string[]
  answer: Pick<PlanAnswer, 'kept' | 'unserved' | 'iterations' | 'stopped' | 'choices'>
  evenness: PlanTask['evenness']
  skipped?: readonly string[]
  tookMs: number
  notesOf?: NotesOf
}

/** The ways to share the days out, each against the one that costs least. */
const evennessOf = (choices: PlanAnswer['choices'], chosen: PlanTask['evenness']): RunResult['evenness'] => {
  const least = choices?.find((choice) => choice.evenness === 'cost')
  if (!choices || !least) return null
  return {
    chosen,
    choices: choices.map(({ evenness, driveSeconds, cents, apartSeconds }) => ({
      evenness,
      moreDriveSeconds: driveSeconds - least.driveSeconds,
      moreCents: Math.round(cents - least.cents),
      apartMinutes: Math.round(apartSeconds / 60),
    })),
  }
}

/** Before and after in minutes, miles and dollars, by day and in sum; what moved; what is left and why. */
export const resultOf = async ({
  contexts,
  after,
  crewIds,
  answer,
  evenness,
  skipped = [],
  tookMs,
  notesOf,
}: Found): Promise<{ result: RunResult; changes: PlanChange[] }> => {
  const before = new Map(contexts.map((context) => [context.data.day, ordersOf(context)]))
  const days: RunResult['days'] = []
  for (const context of contexts) {
    const { day } = context.data
    const [old, next] = [before.get(day)!, after.get(day) ?? before.get(day)!]
    const sums: RouteTotals[] = []
    for (const orders of [old, next, inBookedOrders(context, next)]) {
      sums.push(sumOf(context, orders, crewIds))
      await setImmediate()
    }
    const [was, is, booked] = sums as [RouteTotals, RouteTotals, RouteTotals]
    days.push({ day, before: was, after: is, booked })
  }
  const sum = (pick: (d: RunResult['days'][number]) => RouteTotals) => addTotals(days.map(pick))
  const changes = await changesBetween(contexts, before, after, new Set(skipped), notesOf)
  const has = new Set([...after.values()].flatMap((orders) => [...orders.values()].flat()))
  const had = new Set([...before.values()].flatMap((orders) => [...orders.values()].flat()))
  const reasons = new Map(answer.unserved.map((u) => [u.visitId, u]))
  const left = contexts.flatMap((context) =>
    context.data.visits
      .filter((v) => !isBegun(v) && !has.has(v.id) && !skipped.includes(v.id))
      .flatMap((visit) => {
        const reason = outsideReason(context, visit) ?? reasons.get(visit.id)
        if (!reason) return []
        const one = contexts.length === 1 ? reasonLabel(reason as never) : reason.text
        return [
          {
            visitId: visit.id,
            street: visit.street,
            reason: one ?? reason.text,
            advice: adviceFor(reason.code, visit)?.advice ?? null,
          },
        ]
      }),
  )
  const result: RunResult = {
    kept: answer.kept,
    tookMs,
    iterations: answer.iterations,
    stopped: answer.stopped,
    stops: has.size,
    placed: [...has].filter((id) => !had.has(id)).length,
    before: sum((d) => d.before),
    after: sum((d) => d.after),
    booked: sum((d) => d.booked),
    days,
    changes: changes.slice(0, mostChanges),
    changeCount: changes.length,
    customersToNotify: notifyCount(changes),
    left: left.slice(0, mostChanges),
    evenness: evennessOf(answer.choices, evenness),
  }
  return { result, changes }
}

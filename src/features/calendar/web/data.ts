import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError, call } from '../../../shared/client.ts'
import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import type { CallInput, ResponseOf } from '../../../shared/endpoint.ts'
import type { Change, Topic } from '../../../shared/topics.ts'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type DayPlan, routesApi } from '../../routes/contract.ts'
import { planStep } from '../../routes/web/data.ts'
import { visitCalendarQuery, visitQuery } from '../../visits/web/data.ts'
import { type CalendarRange, calendarApi } from '../contract.ts'
import { type Board, judgeMove, type Movable, type Verdict } from '../rules.ts'
import { type Card, movedRange } from './view.ts'

const topics: readonly Topic[] = ['visits', 'routes', 'crews', 'jobs', 'customers', 'services', 'business', 'calendar']

const within =
  (from: Day, to: Day) =>
  ({ days }: Change): boolean =>
    days.length === 0 || days.some((day) => from <= day && day <= to)

export const rangeQuery = (from: Day, to: Day) =>
  queryOptions({
    queryKey: ['calendar', 'range', from, to],
    meta: { live: { topics, shows: within(from, to) } },
    queryFn: ({ signal }) => call(calendarApi.range, { query: { from, to } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const dueQuery = (day: Day) =>
  queryOptions({
    queryKey: ['calendar', 'due', day],
    // places of the whole list are looked for anew: not for every step of a busy crew
    meta: { live: { topics, everyMs: 1_000, shows: within(addDays(day, -28), day) } },
    queryFn: ({ signal }) => call(calendarApi.due, { query: { day } }, { signal }),
  })

export type MonthFilter = Omit<NonNullable<CallInput<(typeof calendarApi)['month']>['query']>, 'month'>
export const monthQuery = (month: string, filter: MonthFilter) =>
  queryOptions({
    queryKey: ['calendar', 'month', month, filter],
    meta: { live: { topics, everyMs: 5_000 } },
    queryFn: ({ signal }) => call(calendarApi.month, { query: { month, ...filter } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What speaks against a move, from what is on the screen. Before the days off are known nothing is said; the server refuses anyway. */
export const useJudge = (range: CalendarRange | undefined): ((visit: Movable, to: Target) => Verdict) => {
  const { data: calendar } = useQuery(visitCalendarQuery)
  return useCallback(
    (visit, to) => {
      if (!calendar || !range) return { stops: null, warns: [] }
      const board: Board = {
        calendar,
        crews: range.crews,
        loadOf: (day, crewId) => range.crewDays.find((one) => one.day === day && one.crewId === crewId),
        crewOn: (day, crewId) => range.crewDays.find((one) => one.day === day && one.crewId === crewId),
      }
      return judgeMove(visit, to, board)
    },
    [calendar, range],
  )
}

export type Target = {
  day: Day
  crewId: string | null /** Place in the crew's stops; the best one when left out. */
  position?: number
}
export type MoveInput = {
  visit: Card
  to: Target
  crewName: string
}

/** The last change of the day of a list by the answer of one: an Undo of another day only says that this one is gone. */
const lastOf = (due: DueList, plan: DayPlan, undoneId: string | undefined): DueList['undo'] =>
  due.day === plan.day || (!undoneId && plan.undo?.days.includes(due.day))
    ? plan.undo
    : due.undo?.id === undoneId
      ? null
      : due.undo

/** Moves visits, one after another, shown at once. Somebody else's move is told and never written over; everything has Undo. */
export const useMoveVisit = () => {
  const client = useQueryClient()
  /** The answer of a change knows the last one of its day before the board has asked again. */
  const reload = (plan?: DayPlan, undoneId?: string) => {
    client.setQueriesData<DueList>(
      { queryKey: ['calendar', 'due'] },
      (due) => due && plan && { ...due, undo: lastOf(due, plan, undoneId) },
    )
    for (const topic of ['calendar', 'visits', 'routes', 'jobs', 'dashboard'])
      void client.invalidateQueries({ queryKey: [topic] })
  }
  const undo = useIdempotentMutation({
    ...planStep,
    mutationFn: (body: { day: Day; changeId: string }, key) => call(routesApi.undo, { body }, { idempotencyKey: key }),
    onSuccess: () => toast.success('Undone: it is back where it was'),
    onError: (error) => toast.error(error),
    onSettled: (done, _error, { changeId }) => reload(done?.plan, changeId),
  })
  const overtaken = async (visit: MoveInput['visit']): Promise<void> => {
    const now = await client.fetchQuery({ ...visitQuery(visit.id), staleTime: 0 }).catch(() => null)
    toast.error(
      now
        ? `${now.history.find((one) => one.by && /^(Moved|Put)/.test(one.text))?.by ?? 'Somebody else'} moved ${visit.street} meanwhile: it is on ${now.day ? formatDay(now.day) : 'no day'}${now.crewName ? `, ${now.crewName}` : ''} now. Nothing was overwritten.`
        : `Somebody else changed ${visit.street} meanwhile. Nothing was overwritten.`,
    )
  }
  const move = useIdempotentMutation({
    ...planStep,
    mutationFn: ({ visit, to }: MoveInput, key) =>
      call(routesApi.move, { body: { visitId: visit.id, ...to, version: visit.version } }, { idempotencyKey: key }),
    onSuccess: ({ plan, violations }, { visit, to, crewName }) => {
      const step = plan.undo
      const said = `${visit.street}: ${formatDay(to.day)}, ${crewName}`
      toast.undo(
        violations[0] && to.crewId ? `${said}. ${violations[0]}` : said,
        () => step && undo.mutate({ day: to.day, changeId: step.id }),
        `visit:${visit.id}`,
      )
    },
    onError: (error, { visit }) => {
      if (error instanceof ApiError && error.code === 'version_conflict') void overtaken(visit)
      else toast.error(error)
    },
    onSettled: (done) => reload(done?.plan),
  })
  /** True once it stands where it was put. */
  const run = (input: MoveInput): Promise<boolean> => {
    void client.cancelQueries({ queryKey: ['calendar'] })
    client.setQueriesData<CalendarRange>({ queryKey: ['calendar', 'range'] }, (range) =>
      range ? movedRange(range, input.visit, input.to) : range,
    )
    client.setQueriesData<DueList>({ queryKey: ['calendar', 'due'] }, (due) =>
      due && input.to.crewId ? { ...due, items: due.items.filter((one) => one.id !== input.visit.id) } : due,
    )
    return move.mutateAsync(input).then(
      () => true,
      () => false,
    )
  }
  return { run, reload, undo }
}
type DueList = ResponseOf<(typeof calendarApi)['due']>

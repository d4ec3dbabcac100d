import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { Change, Topic } from '../../../shared/topics.ts'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type DayPlan, routesApi } from '../contract.ts'
import { recallWords } from '../rain/rules.ts'
import { movedPlan } from './plan.ts'

const askAgainMs = 2_000

/** Every step of a crew at work moves the plan too. */
const planTopics: readonly Topic[] = ['routes', 'visits', 'crews', 'jobs', 'customers', 'business']
const ofDays =
  (daysOf: (data: unknown) => readonly string[]) =>
  ({ days }: Change, data: unknown): boolean =>
    data === undefined || days.length === 0 || daysOf(data).some((day) => days.includes(day))

export const dayQuery = (day: string | undefined, runId?: string) =>
  queryOptions({
    queryKey: ['routes', 'day', day ?? 'today', ...(runId ? [runId] : [])],
    meta: { live: { topics: planTopics, shows: ofDays((data) => [(data as DayPlan).day]) } },
    queryFn: ({ signal }) =>
      call(routesApi.day, { query: { ...(day ? { day } : {}), ...(runId ? { runId } : {}) } }, { signal }),
  })

/** The search or proposal that a day is part of; asked for again by itself while one goes on, should the stream be away. */
export const currentRunQuery = (day: string) =>
  queryOptions({
    queryKey: ['routes', 'current-run', day],
    queryFn: ({ signal }) => call(routesApi.currentRun, { query: { day } }, { signal }),
    refetchInterval: (query) => (query.state.data?.run?.status === 'running' ? askAgainMs : false),
  })

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['routes', 'run', id],
    meta: { live: { shows: ({ ids }) => ids.length === 0 || ids.includes(id) } },
    queryFn: ({ signal }) => call(routesApi.run, { params: { id } }, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'running' || query.state.error ? askAgainMs : false),
  })

export const compareQuery = (query: { day: string; lastDay?: string; runId?: string }) =>
  queryOptions({
    queryKey: ['routes', 'compare', query.day, query.lastDay ?? '', query.runId ?? ''],
    meta: { live: { topics: planTopics, everyMs: 2_000 } },
    queryFn: ({ signal }) => call(routesApi.compare, { query }, { signal }),
  })

export const weekQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: ['routes', 'week', day ?? 'today'],
    // stops and drive of seven days: a crew at work moves them little
    meta: {
      live: {
        topics: planTopics,
        everyMs: 5_000,
        shows: ofDays((data) => (data as ResponseOf<typeof routesApi.week>).items.map((one) => one.day)),
      },
    },
    queryFn: ({ signal }) => call(routesApi.week, { query: day ? { day } : {} }, { signal }),
    placeholderData: keepPreviousData,
  })

export const savedQuery = infiniteQueryOptions({
  queryKey: ['routes', 'saved'],
  queryFn: ({ pageParam, signal }) =>
    call(routesApi.saved, { query: { limit: 40, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/**
 * What every change of a day's plan has in common, on whichever screen it is pressed: they go out one after another, and until the last answer is
 * there nobody can say what Undo would take back.
 */
export const planStep = { mutationKey: ['routes', 'step'], scope: { id: 'routes.step' } } as const

/** Whether a change of a plan waits for its answer. */
export const useStepping = (): boolean => useIsMutating({ mutationKey: planStep.mutationKey }) > 0

/** The changes of a day's plan. The answer is the whole new plan; until it comes a dropped stop already stands where it was dropped. */
export const usePlan = (day: string | undefined) => {
  const client = useQueryClient()
  const { queryKey } = dayQuery(day)
  const show = (plan: DayPlan) => {
    client.setQueryData(queryKey, plan)
    void client.invalidateQueries({ queryKey: ['routes', 'week'] })
    void client.invalidateQueries({ queryKey: savedQuery.queryKey })
  }
  const failed = (error: unknown) => {
    toast.error(error)
    void client.invalidateQueries({ queryKey })
  }
  const move = useMutation({
    ...planStep,
    mutationFn: (body: { visitId: string; crewId: string | null; position?: number; day: string }) =>
      call(routesApi.move, { body }),
    onMutate: async (to) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (plan) => plan && movedPlan(plan, to))
    },
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  // The answer is the plan of the other day: this one is asked for again.
  const reload = () => client.invalidateQueries({ queryKey: ['routes'] })
  const postpone = useMutation({
    ...planStep,
    mutationFn: (body: { visitId: string; crewId: null; day: string }) => call(routesApi.move, { body }),
    onSuccess: reload,
    onError: failed,
  })
  const pin = useMutation({
    ...planStep,
    mutationFn: (body: { visitId: string; pinned: boolean }) => call(routesApi.pin, { body }),
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  const stepped = (said: string, plan: DayPlan, kept: number, rain?: { recalled: number; told: readonly string[] }) => {
    const message = rain ? [said, recallWords(rain)].filter(Boolean).join('. ') : said
    if (plan.day === day || day === undefined) show(plan)
    toast.success(
      kept === 0 ? message : `${message}. ${kept} ${kept === 1 ? 'stop' : 'stops'} moved on since and stayed.`,
    )
  }
  const undo = useIdempotentMutation({
    ...planStep,
    mutationFn: (body: { day: string; changeId: string }, key) =>
      call(routesApi.undo, { body }, { idempotencyKey: key }),
    onSuccess: ({ plan, undone, kept, ...rain }) => stepped(`Undone: ${undone}`, plan, kept, rain),
    onError: failed,
  })
  const redo = useIdempotentMutation({
    ...planStep,
    mutationFn: (body: { day: string; changeId: string }, key) =>
      call(routesApi.redo, { body }, { idempotencyKey: key }),
    onSuccess: ({ plan, redone, kept }) => stepped(`Done again: ${redone}`, plan, kept),
    onError: failed,
  })
  const crewBack = useMutation({
    ...planStep,
    mutationFn: (body: { day: string; crewId: string }) => call(routesApi.crewBack, { body }),
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  const publish = useIdempotentMutation({
    mutationFn: (body: { day: string; crewIds?: string[] }, key) =>
      call(routesApi.publish, { body }, { idempotencyKey: key }),
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  return { move, postpone, reload, pin, undo, redo, crewBack, publish }
}

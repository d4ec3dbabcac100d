import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { toast } from '../../../ui/toast.tsx'
import { type DayPlan, routesApi } from '../contract.ts'
import { movedPlan } from './plan.ts'

// Under 'visits': every step of a crew at work moves the plan too; changes of the plan itself are told under both words.
export const dayQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: ['visits', 'routes', day ?? 'today'],
    queryFn: ({ signal }) => call(routesApi.day, { query: day ? { day } : {} }, { signal }),
  })

export const weekQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: ['visits', 'routes-week', day ?? 'today'],
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

/** The changes of a day's plan. The answer is the whole new plan; until it comes a dropped stop already stands where it was dropped. */
export const usePlan = (day: string | undefined) => {
  const client = useQueryClient()
  const { queryKey } = dayQuery(day)
  const show = (plan: DayPlan) => {
    client.setQueryData(queryKey, plan)
    void client.invalidateQueries({ queryKey: ['visits', 'routes-week'] })
    void client.invalidateQueries({ queryKey: savedQuery.queryKey })
  }
  const failed = (error: unknown) => {
    toast.error(error)
    void client.invalidateQueries({ queryKey })
  }
  const optimise = useMutation({
    mutationFn: async (body: { day: string; crewIds?: string[]; keepAssignments?: boolean; placeDue?: boolean }) => {
      let { run } = await call(routesApi.optimise, { body })
      while (run.status === 'running') {
        await new Promise((next) => setTimeout(next, 300))
        run = await call(routesApi.run, { params: { id: run.id } })
      }
      if (!run.result) throw new Error(run.error ?? 'The search found nothing. Nothing was changed.')
      return { plan: await call(routesApi.day, { query: { day: body.day } }), result: run.result }
    },
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  const move = useMutation({
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
  const reload = () => client.invalidateQueries({ queryKey: ['visits'] })
  const postpone = useMutation({
    mutationFn: (body: { visitId: string; crewId: null; day: string }) => call(routesApi.move, { body }),
    onSuccess: reload,
    onError: failed,
  })
  const pin = useMutation({
    mutationFn: (body: { visitId: string; pinned: boolean }) => call(routesApi.pin, { body }),
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  const undo = useMutation({
    mutationFn: (body: { day: string }) => call(routesApi.undo, { body }),
    onSuccess: ({ plan, undone, kept }) => {
      if (plan.day === day || day === undefined) show(plan)
      toast.success(
        kept === 0
          ? `Undone: ${undone}`
          : `Undone: ${undone}. ${kept} ${kept === 1 ? 'stop' : 'stops'} moved on since and stayed.`,
      )
    },
    onError: failed,
  })
  const publish = useMutation({
    mutationFn: ({ key, ...body }: { day: string; crewIds?: string[]; key: string }) =>
      call(routesApi.publish, { body }, { idempotencyKey: key }),
    onSuccess: ({ plan }) => show(plan),
    onError: failed,
  })
  return { optimise, move, postpone, reload, pin, undo, publish }
}

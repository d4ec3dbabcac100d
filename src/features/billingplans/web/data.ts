import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { billingPlansApi, type Plan, type PlanView } from '../contract.ts'

type Body<Name extends 'preview' | 'create' | 'previewChange' | 'change' | 'settle'> = z.input<
  (typeof billingPlansApi)[Name]['body']
>
export type PlanWish = Body<'preview'>
export type NewPlanBody = Body<'create'>
export type ChangeBody = Body<'change'>
export type SettleBody = Body<'settle'>

// finished work counts by itself, and money on its invoices
const live = { live: { topics: ['invoices', 'visits', 'jobs', 'payments'], everyMs: 2_000 } } as const

export const plansQuery = (view: PlanView) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'plans', view],
    meta: live,
    queryFn: ({ pageParam, signal }) =>
      call(
        billingPlansApi.list,
        { query: { view, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const customerPlansQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['invoices', 'plansOf', customerId],
    meta: live,
    queryFn: ({ signal }) => call(billingPlansApi.list, { query: { customerId, limit: 50 } }, { signal }),
  })

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoices', 'plan', id],
    meta: live,
    queryFn: ({ signal }) => call(billingPlansApi.get, { params: { id } }, { signal }),
  })

export const wishQuery = (body: PlanWish) =>
  queryOptions({
    queryKey: ['invoices', 'planWish', body],
    queryFn: ({ signal }) => call(billingPlansApi.preview, { body }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const changeQuery = (id: string, body: Body<'previewChange'>) =>
  queryOptions({
    queryKey: ['invoices', 'planChange', id, body],
    queryFn: ({ signal }) => call(billingPlansApi.previewChange, { params: { id }, body }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const settlementQuery = (id: string, atFullPrice: boolean) =>
  queryOptions({
    queryKey: ['invoices', 'settlement', id, atFullPrice],
    meta: live,
    queryFn: ({ signal }) =>
      call(billingPlansApi.settlement, { params: { id }, query: { atFullPrice: String(atFullPrice) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What was asked for is on the screen at once; lists and money follow. */
const usePlanMutation = <In>(work: (input: In, key: string) => Promise<Plan>) => {
  const client = useQueryClient()
  return useIdempotentMutation<In, Plan>({
    mutationFn: work,
    onSuccess: (plan) => {
      client.setQueryData(planQuery(plan.id).queryKey, plan)
      void client.invalidateQueries({
        predicate: ({ queryKey: [topic, kind] }) =>
          (topic === 'invoices' && kind !== 'plan') || topic === 'customers' || topic === 'dashboard',
      })
    },
  })
}

export const useCreatePlan = () =>
  usePlanMutation((body: NewPlanBody, key) => call(billingPlansApi.create, { body }, { idempotencyKey: key }))

export const useChangePlan = (id: string) =>
  usePlanMutation((body: ChangeBody, key) =>
    call(billingPlansApi.change, { params: { id }, body }, { idempotencyKey: key }),
  )

export const useSettlePlan = (id: string) =>
  usePlanMutation((body: SettleBody, key) =>
    call(billingPlansApi.settle, { params: { id }, body }, { idempotencyKey: key }),
  )

/** The ways back: of the newest change, of a settlement, of the plan itself. */
export const usePlanVerb = (id: string) =>
  usePlanMutation((verb: { undoChange: number } | 'undoSettlement' | 'discard', key) =>
    typeof verb === 'object'
      ? call(
          billingPlansApi.undoChange,
          { params: { id }, body: { version: verb.undoChange } },
          { idempotencyKey: key },
        )
      : call(billingPlansApi[verb], { params: { id } }, { idempotencyKey: key }),
  )

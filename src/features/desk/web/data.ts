import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import type { OwnerCall } from '../../owner/web/session.ts'
import { useOwner } from '../../owner/web/session.ts'
import { callsApi } from '../../prospects/calls/contract.ts'
import type { LeadStatus } from '../../prospects/rules.ts'
import { sprintApi } from '../../prospects/sprint/contract.ts'
import { type Coupon, couponsApi } from '../../subscriptions/coupons/contract.ts'
import { deskApi, type Lead, type TemplateEntry } from '../contract.ts'

/** The desk looks again this often, by itself. */
export const refreshMs = 30_000

export type Filters = {
  status: string
  source: string
  campaign: string
  dateFrom: string
  dateTo: string
}

export const noFilters: Filters = { status: '', source: '', campaign: '', dateFrom: '', dateTo: '' }

type LeadsQuery = Partial<Filters> & { search?: string; conversations?: boolean; limit?: number }

const given = (filter: LeadsQuery): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== '' && value !== undefined && value !== false)
      .map(([key, value]) => [key, String(value)]),
  )

export const leadsQuery = (ask: OwnerCall, filter: LeadsQuery) =>
  infiniteQueryOptions({
    queryKey: ['desk', 'leads', filter],
    queryFn: ({ pageParam, signal }) =>
      ask(
        deskApi.leads,
        { query: { ...given(filter), ...(pageParam ? { cursor: pageParam } : {}) } as never },
        { signal, retries: 1 },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    staleTime: 0,
  })

export const analyticsQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'analytics'],
    queryFn: ({ signal }) => ask(deskApi.analytics, {}, { signal, retries: 1 }),
    refetchInterval: refreshMs,
    staleTime: 0,
  })

export const emailsQuery = (ask: OwnerCall, leadId: string) =>
  queryOptions({
    queryKey: ['desk', 'messages', leadId, 'email'],
    queryFn: async ({ signal }) => (await ask(deskApi.emails, { params: { leadId } }, { signal })).emailMessages,
    refetchInterval: refreshMs,
  })

export const textsQuery = (ask: OwnerCall, leadId: string) =>
  queryOptions({
    queryKey: ['desk', 'messages', leadId, 'sms'],
    queryFn: async ({ signal }) => (await ask(deskApi.texts, { params: { leadId } }, { signal })).smsMessages,
    refetchInterval: refreshMs,
  })

export const templatesQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'templates'],
    queryFn: ({ signal }) => ask(deskApi.templates, {}, { signal }),
  })

/** Whether a lead stands in any list that is loaded. */
export const isLoaded = (client: QueryClient, leadId: string): boolean =>
  client
    .getQueriesData<{ pages: { leads: Lead[] }[] }>({ queryKey: ['desk', 'leads'] })
    .some(([, data]) => data?.pages.some((page) => page.leads.some((lead) => lead._id === leadId)))

/** After a change the lists and the figures are read again. */
export const useReload = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['desk'] })
}

export const useSetStatus = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useMutation({
    mutationFn: ({ leadId, status }: { leadId: string; status: LeadStatus }) =>
      ask(deskApi.setStatus, { params: { leadId }, body: { status } }),
    onSuccess: reload,
  })
}

export type Writing = { channel: 'email' | 'sms'; leadId: string; subject: string; message: string }

/** The lead is not among the loaded ones any more. */
export class LeadNotFound extends Error {
  constructor() {
    super('Lead not found')
  }
}

export const useWriteToLead = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  const reload = useReload()
  return useIdempotentMutation({
    mutationFn: async ({ channel, leadId, subject, message }: Writing, key) => {
      if (!isLoaded(client, leadId)) throw new LeadNotFound()
      return channel === 'email'
        ? ask(deskApi.sendEmail, { params: { leadId }, body: { subject, message } }, { idempotencyKey: key })
        : ask(deskApi.sendText, { params: { leadId }, body: { message } }, { idempotencyKey: key })
    },
    onSuccess: reload,
  })
}

export const useRemoveMessage = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useMutation({
    mutationFn: ({ leadId, ...body }: { leadId: string; messageId: string; messageType: 'email' | 'sms' }) =>
      ask(deskApi.removeMessage, { params: { leadId }, body }),
    onSuccess: reload,
  })
}

export const settingsQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'settings'],
    queryFn: ({ signal }) => ask(deskApi.settings, {}, { signal }),
  })

export const useSaveSettings = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof deskApi.saveSettings>) => ask(deskApi.saveSettings, { body }),
    onSuccess: (saved) => client.setQueryData(['desk', 'settings'], saved),
  })
}

export const useSaveTemplate = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ entry, change }: { entry: TemplateEntry; change: BodyOf<typeof deskApi.saveTemplate> }) =>
      ask(deskApi.saveTemplate, { params: { channel: entry.channel, key: entry.key }, body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk', 'templates'] }),
  })
}

export const couponsQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'coupons'],
    queryFn: ({ signal }) => ask(couponsApi.list, {}, { signal }),
  })

/** Whether a checkout would take it now. */
export const isLive = (coupon: Coupon): boolean =>
  coupon.endedAt === null &&
  (coupon.expiresAt === null || Date.parse(coupon.expiresAt) > Date.now()) &&
  (coupon.maxUses === null || coupon.uses < coupon.maxUses)

export const useCreateCoupon = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { code: string; percentOff: number; maxUses: number | null }) =>
      ask(couponsApi.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk', 'coupons'] }),
  })
}

export const useEndCoupon = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => ask(couponsApi.end, { params: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk', 'coupons'] }),
  })
}

export const slotsQuery = (ask: OwnerCall, minutes: 20 | 30) =>
  queryOptions({
    queryKey: ['desk', 'slots', minutes],
    queryFn: ({ signal }) => ask(callsApi.slotsForOwner, { query: { minutes } }, { signal }),
    staleTime: 0,
  })

export const useBookCall = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useIdempotentMutation({
    mutationFn: ({ leadId, ...body }: { leadId: string; startsAt: string; minutes: 20 | 30; note: string }, key) =>
      ask(callsApi.bookForLead, { params: { leadId }, body: { ...body, kind: 'demo' } }, { idempotencyKey: key }),
    onSuccess: reload,
  })
}

export const leadCallsQuery = (ask: OwnerCall, leadId: string) =>
  queryOptions({
    queryKey: ['desk', 'calls', leadId],
    queryFn: ({ signal }) => ask(callsApi.ofLead, { params: { leadId } }, { signal }),
  })

export const useCallAction = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useMutation({
    mutationFn: ({ callId, action }: { callId: string; action: 'held' | 'missed' | 'cancel' }) =>
      action === 'cancel'
        ? ask(callsApi.ownerCancel, { params: { callId } })
        : ask(callsApi.mark, { params: { callId }, body: { status: action } }),
    onSuccess: reload,
  })
}

export const sprintQuery = (ask: OwnerCall, leadId: string) =>
  queryOptions({
    queryKey: ['desk', 'sprint', leadId],
    queryFn: ({ signal }) => ask(sprintApi.ofLead, { params: { leadId } }, { signal }),
  })

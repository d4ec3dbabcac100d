import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation } from 'react-router'
import { ApiError, call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { linkTo } from '../../../shared/links.ts'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type Visit, visitsApi } from '../contract.ts'
import { statusLabel } from '../rules.ts'

/** The address that opens a visit over this screen, or null for who may not see visits. */
export const useVisitLink = (): ((visitId: string) => string) | null => {
  const place = useLocation()
  return useMay()(visitsApi.get) ? (visitId) => linkTo.visitOver(place, visitId) : null
}

export const visitQuery = (id: string) =>
  queryOptions({
    queryKey: ['visits', 'one', id],
    queryFn: ({ signal }) => call(visitsApi.get, { params: { visitId: id } }, { signal }),
  })

export const visitCalendarQuery = queryOptions({
  queryKey: ['visits', 'calendar'],
  queryFn: ({ signal }) => call(visitsApi.calendar, {}, { signal }),
  meta: { live: { topics: ['routes', 'crews'] } },
})

type Deeds = Pick<typeof visitsApi, 'skip' | 'move' | 'finish' | 'reopen' | 'cancel' | 'rebook' | 'note' | 'undo'>
export type VisitDeed = {
  [D in keyof Deeds]: {
    deed: D
    visit: Pick<Visit, 'id' | 'version'>
    body: Omit<CallInput<Deeds[D]>['body'], 'version'>
  }
}[keyof Deeds]

const run = ({ deed, visit, body }: VisitDeed, key: string): Promise<Visit> =>
  call<(typeof visitsApi)['undo']>(
    visitsApi[deed] as never,
    {
      params: { visitId: visit.id },
      body: { ...body, ...(deed === 'rebook' ? {} : { version: visit.version }) } as never,
    },
    { idempotencyKey: key },
  )

const shownOn = ['visits', 'routes', 'jobs', 'customers', 'dashboard', 'search']

/** Does something to a visit. What the crew did meanwhile is told, and shown, before anything is written over it. */
export const useVisitDeed = () => {
  const client = useQueryClient()
  return useIdempotentMutation<VisitDeed, Visit>({
    mutationFn: async (input, key) => {
      try {
        return await run(input, key)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'version_conflict') throw error
        const now = await client.fetchQuery({ ...visitQuery(input.visit.id), staleTime: 0 })
        throw new ApiError(
          'version_conflict',
          `Somebody changed this visit meanwhile: it is ${statusLabel(now.status)} now. Nothing was overwritten; look at it, then go on.`,
          error.status,
        )
      }
    },
    onSuccess: (visit) => {
      client.setQueryData(visitQuery(visit.id).queryKey, visit)
      for (const topic of shownOn)
        void client.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] === topic && !(queryKey[1] === 'one' && queryKey[2] === visit.id),
        })
    },
  })
}

type Options = {
  onUndone?: (visit: Visit) => void
  /** The visit as a dialog asks about it: what changes below the open dialog is told before anything is written over it. */
  asked?: Visit
}

/** Does something, once however often it is pressed, and says so with Undo beside it. Answers the visit; what goes wrong is the caller's to show. */
export const useUndoableDeed = ({ onUndone, asked }: Options = {}) => {
  const client = useQueryClient()
  const deed = useVisitDeed()
  const undo = useVisitDeed()
  const seen = useRef(asked?.version)
  const running = useRef<Promise<Visit> | null>(null)
  const once = async (input: VisitDeed, done: (visit: Visit) => string): Promise<Visit> => {
    const { id, version } = input.visit
    const visit = await deed
      .mutateAsync({ ...input, visit: { id, version: seen.current ?? version } })
      .catch((error) => {
        // Told, they may go on.
        if (asked && error instanceof ApiError && error.code === 'version_conflict')
          seen.current = client.getQueryData(visitQuery(id).queryKey)?.version
        throw error
      })
    toast.undo(
      done(visit),
      () =>
        undo.mutateAsync({ deed: 'undo', visit, body: {} }).then((back) => {
          onUndone?.(back)
          toast.success('Undone: everything is as it was')
        }, toast.error),
      `visit:${visit.id}`,
    )
    return visit
  }
  const act = (input: VisitDeed, done: (visit: Visit) => string): Promise<Visit> => {
    running.current ??= once(input, done).finally(() => {
      running.current = null
    })
    return running.current
  }
  return { act, isPending: deed.isPending }
}

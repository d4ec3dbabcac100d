import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, fetchFile } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import { campaignResultsApi } from '../results/contract.ts'
import type { RecipientState } from '../rules.ts'
import { segmentsApi } from '../segments/contract.ts'
import type { Condition } from '../segments/rules.ts'

// what leaves changes them by the dozen: they follow once every few seconds
const live = { topics: ['campaigns'], everyMs: 3_000 } as const

export const campaignsQuery = infiniteQueryOptions({
  queryKey: ['campaigns', 'list'],
  queryFn: ({ pageParam, signal }) =>
    call(campaignsApi.list, { query: pageParam ? { cursor: pageParam } : {} }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  meta: { live },
})

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => call(campaignsApi.get, { params: { id } }, { signal }),
    meta: { live },
  })

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'results', id],
    queryFn: ({ signal }) => call(campaignResultsApi.results, { params: { id } }, { signal }),
    meta: { live },
  })

export const billedQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'billed', id],
    queryFn: ({ signal }) => call(campaignResultsApi.billed, { params: { id } }, { signal }),
    // days decide it, not what leaves in this minute
    meta: { live: { topics: [] } },
  })

export const peopleQuery = (id: string, show: RecipientState | null) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'people', id, show],
    queryFn: ({ pageParam, signal }) =>
      call(
        campaignResultsApi.people,
        { params: { id }, query: { ...(show ? { show } : {}), ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { live },
  })

export const countQuery = (conditions: readonly Condition[]) =>
  queryOptions({
    queryKey: ['customers', 'segment-count', conditions],
    queryFn: ({ signal }) => call(segmentsApi.count, { body: { conditions: [...conditions] } }, { signal }),
    // a count of everybody is not asked for with every customer that changes
    meta: { live: { topics: [] } },
  })

export const segmentsQuery = queryOptions({
  queryKey: ['campaigns', 'audiences'],
  queryFn: ({ signal }) => call(segmentsApi.list, {}, { signal }),
})

type Asked = z.input<typeof campaignsApi.preview.body>
export const previewQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['business', 'campaign-preview', asked],
    queryFn: ({ signal }) => call(campaignsApi.preview, { body: asked }, { signal }),
  })

type Written = z.input<typeof campaignsApi.create.body>
export type Changes = z.input<typeof campaignsApi.update.body>

/** Everything that is done with campaigns; what comes back is the campaign as it stands. */
export const useCampaigns = () => {
  const client = useQueryClient()
  const keep = (campaign: Campaign) => {
    client.setQueryData(campaignQuery(campaign.id).queryKey, campaign)
    void client.invalidateQueries({ queryKey: campaignsQuery.queryKey })
    return client.invalidateQueries({ queryKey: resultsQuery(campaign.id).queryKey })
  }
  const again = (id: string) => client.invalidateQueries({ queryKey: campaignQuery(id).queryKey })
  const create = useIdempotentMutation({
    mutationFn: (body: Written, key) => call(campaignsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: keep,
  })
  const update = useIdempotentMutation({
    mutationFn: ({ id, ...body }: Changes & { id: string }, key) =>
      call(campaignsApi.update, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: keep,
  })
  const remove = useIdempotentMutation({
    mutationFn: (id: string, key) => call(campaignsApi.remove, { params: { id } }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: campaignsQuery.queryKey }),
  })
  const schedule = useIdempotentMutation({
    mutationFn: ({ id, ...body }: { id: string; version: number; day: string; minute: number }, key) =>
      call(campaignsApi.schedule, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: keep,
  })
  const start = useIdempotentMutation({
    mutationFn: ({ id, version }: { id: string; version: number }, key) =>
      call(campaignsApi.start, { params: { id }, body: { version } }, { idempotencyKey: key }),
    onSuccess: keep,
  })
  const test = useIdempotentMutation({
    mutationFn: ({ id, ...body }: z.input<typeof campaignsApi.test.body> & { id: string }, key) =>
      call(campaignsApi.test, { params: { id }, body }, { idempotencyKey: key }),
  })
  const act = useIdempotentMutation({
    mutationFn: ({ id, verb }: { id: string; verb: 'copy' | 'unschedule' | 'pause' | 'resume' | 'cancel' }, key) =>
      call(campaignsApi[verb], { params: { id } }, { idempotencyKey: key }),
    onSuccess: keep,
    // also where it was refused: it has moved on since it was read
    onError: (_, { id }) => again(id),
  })
  return { create, update, remove, schedule, start, test, act }
}

export const useSegments = () => {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: segmentsQuery.queryKey })
  const create = useIdempotentMutation({
    mutationFn: (body: { name: string; conditions: Condition[] }, key) =>
      call(segmentsApi.create, { body }, { idempotencyKey: key }),
    onSuccess,
  })
  const archive = useIdempotentMutation({
    mutationFn: (id: string, key) => call(segmentsApi.archive, { params: { id } }, { idempotencyKey: key }),
    onSuccess,
  })
  const update = useIdempotentMutation({
    mutationFn: ({ id, ...body }: { id: string; version: number; conditions: Condition[] }, key) =>
      call(segmentsApi.update, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess,
  })
  return { create, update, archive }
}

export const downloadPeople = async (id: string, show: RecipientState | null): Promise<void> => {
  const { blob, name } = await fetchFile(campaignResultsApi.exportCsv, { params: { id }, query: show ? { show } : {} })
  saveFile(blob, name ?? 'campaign.csv')
}

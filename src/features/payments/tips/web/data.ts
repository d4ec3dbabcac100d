import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../../shared/client.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { tipsApi } from '../contract.ts'

export const tipsQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['payments', 'tips', from, to],
    queryFn: ({ signal }) => call(tipsApi.list, { query: { from, to } }, { signal }),
  })

/** Fetches the tips of a span of days by person and hands them to the browser. */
export const downloadTips = async (period: { from: string; to: string }): Promise<void> => {
  const { blob, name } = await fetchFile(tipsApi.csv, { query: period })
  saveFile(blob, name ?? 'tips.csv')
}

/** Says whose a tip is. */
export const useTipPeople = (paymentId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    onSettled: () => client.invalidateQueries({ queryKey: ['payments', 'tips'] }),
    mutationFn: (memberUserIds: string[], key) =>
      call(tipsApi.setPeople, { params: { id: paymentId }, body: { memberUserIds } }, { idempotencyKey: key }),
  })
}

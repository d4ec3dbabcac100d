import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../../shared/client.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import type { Preset } from '../../payroll/rules.ts'
import { type PayFile, payfilesApi } from '../contract.ts'

type Period = { from: string; to: string }

export const payFilesQuery = (period: Period, preset: Preset) =>
  queryOptions({
    queryKey: ['timeclock', 'payroll-files', period.from, period.to, preset],
    queryFn: ({ signal }) => call(payfilesApi.list, { query: { ...period, preset } }, { signal }),
  })

/** Fetches a file as it was made and hands it to the browser. */
export const downloadPayFile = async ({ id, name }: Pick<PayFile, 'id' | 'name'>): Promise<void> => {
  const { blob } = await fetchFile(payfilesApi.csv, { params: { id } })
  saveFile(blob, name)
}

/** Makes the next file and takes one back. */
export const usePayFiles = () => {
  const client = useQueryClient()
  const onSettled = () => void client.invalidateQueries({ queryKey: ['timeclock'] })
  const make = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Period & { preset: Preset }, idempotencyKey) =>
      call(payfilesApi.make, { body }, { idempotencyKey }),
  })
  const withdraw = useIdempotentMutation({
    onSettled,
    mutationFn: (id: string, idempotencyKey) => call(payfilesApi.withdraw, { params: { id } }, { idempotencyKey }),
  })
  return { make, withdraw }
}

import { queryOptions } from '@tanstack/react-query'
import { call, fetchFile } from '../../../../shared/client.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { closingApi } from '../contract.ts'

export const closingQuery = queryOptions({
  queryKey: ['business', 'ownership'],
  queryFn: ({ signal }) => call(closingApi.get, {}, { signal }),
})

export const transferOwnership = (body: { userId: string; password: string }) => call(closingApi.transfer, { body })

export const closeBusiness = (body: { password: string; businessName: string }) =>
  call(closingApi.close, { body }, { retries: 0 })

/** Fetches every record of the business and hands the archive to the browser. */
export const downloadEverything = async (): Promise<void> => {
  const { blob, name } = await fetchFile(closingApi.exportAll, {})
  saveFile(blob, name ?? 'swath.zip')
}

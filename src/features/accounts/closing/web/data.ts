import { queryOptions } from '@tanstack/react-query'
import { ApiError, call, urlOf } from '../../../../shared/client.ts'
import type { Session } from '../../web/session.ts'
import { closingApi } from '../contract.ts'

export const closingQuery = queryOptions({
  queryKey: ['business', 'ownership'],
  queryFn: ({ signal }) => call(closingApi.look, {}, { signal }),
})

export const transferOwnership = (body: { userId: string; password: string }) => call(closingApi.transfer, { body })

export const closeBusiness = (body: { password: string; businessName: string }) =>
  call(closingApi.close, { body }, { retries: 0 })

/** Fetches every record of the business and hands the archive to the browser. */
export const downloadEverything = async (session: Session): Promise<void> => {
  const ask = () =>
    fetch(urlOf(closingApi.exportAll), {
      headers: { 'x-client-app': session.kind(), authorization: `Bearer ${session.token() ?? ''}` },
    })
  let answer = await ask()
  if (answer.status === 401 && (await session.refresh())) answer = await ask()
  if (!answer.ok)
    throw new ApiError('network', 'The export did not come. Nothing was lost; please try again.', answer.status)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'swath.zip'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

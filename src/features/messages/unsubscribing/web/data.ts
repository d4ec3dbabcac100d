import { queryOptions } from '@tanstack/react-query'
import { brand } from '../../../../shared/brand.ts'
import { ApiError, call } from '../../../../shared/client.ts'
import { leadsApi } from '../../../prospects/contract.ts'
import { messagesApi } from '../../contract.ts'

const asStranger = { retries: 1 }
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** The one page of every unsubscribe link: of a business's mail to its customers, or of our own to a company that asked about the product. */
export const unsubscribeQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscribe', token],
    queryFn: async ({ signal }) => {
      const extra = { signal, ...asStranger }
      try {
        return { ...(await call(messagesApi.unsubscribeInfo, { params: { token } }, extra)), isOurs: false }
      } catch (error) {
        if (!isUnknown(error)) throw error
        const own = await call(leadsApi.unsubscribeInfo, { params: { token } }, extra)
        return { ...own, businessName: brand.name, language: 'en' as const, mayKeep: false, isOurs: true }
      }
    },
    staleTime: Infinity,
  })
export const keepOffers = (token: string) => call(messagesApi.keepOffers, { params: { token } }, asStranger)
export const unsubscribe = (token: string, isOurs: boolean) =>
  call(isOurs ? leadsApi.unsubscribe : messagesApi.unsubscribe, { params: { token } }, asStranger)

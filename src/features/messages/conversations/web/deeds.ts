import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { withOf } from '../../web/data.ts'
import { type ConversationRecord, conversationsApi } from '../contract.ts'
import type { SnoozeWish } from '../rules.ts'
import { conversationQuery } from './data.ts'

/** @param who a customer by id, or a number that nobody knows */
export const talkQuery = (who: string) => {
  const of = withOf(who)
  return 'customerId' in of
    ? conversationQuery(of.customerId)
    : queryOptions({
        queryKey: ['messages', 'conversation', who],
        queryFn: ({ signal }) => call(numberConversationsApi.get, { params: of }, { signal }),
      })
}

export type ConversationDeed =
  | { kind: 'assign'; userId: string | null }
  | { kind: 'snooze'; until: SnoozeWish }
  | { kind: 'close' }
  | { kind: 'reopen' }

/** Does something with a conversation as it was seen; what others did meanwhile is shown, not overwritten. */
export const useConversation = (who: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ version, ...deed }: ConversationDeed & { version: number }, key): Promise<ConversationRecord> => {
      const of = withOf(who)
      const extra = { idempotencyKey: key }
      if ('address' in of) {
        const { assign, snooze, close, reopen } = numberConversationsApi
        if (deed.kind === 'assign') return call(assign, { params: of, body: { userId: deed.userId, version } }, extra)
        if (deed.kind === 'snooze') return call(snooze, { params: of, body: { until: deed.until, version } }, extra)
        return call(deed.kind === 'close' ? close : reopen, { params: of, body: { version } }, extra)
      }
      const params = { id: of.customerId }
      const { assign, snooze, close, reopen } = conversationsApi
      if (deed.kind === 'assign') return call(assign, { params, body: { userId: deed.userId, version } }, extra)
      if (deed.kind === 'snooze') return call(snooze, { params, body: { until: deed.until, version } }, extra)
      return call(deed.kind === 'close' ? close : reopen, { params, body: { version } }, extra)
    },
    onSuccess: (record) => client.setQueryData(talkQuery(who).queryKey, record),
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

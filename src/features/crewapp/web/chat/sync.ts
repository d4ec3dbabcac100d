import { useQuery } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useOnlyLooks, useUser } from '../../../accounts/web/session.ts'
import { chatApi } from '../../../chat/contract.ts'
import { keptOnPhone } from '../../../chat/rules.ts'
import { isStale } from '../../chat/rules.ts'
import { type Chat, chatOf } from './kept.ts'

const patienceMs = 15_000
/** So many when the phone knows the thread: most of what is new is at its end. */
const few = 30

const tellReads = async (chat: Chat, signal: AbortSignal): Promise<void> => {
  for (const [threadId, { upTo, at }] of Object.entries(chat.get().reads)) {
    const secondsAgo = Math.min(30 * 86_400, Math.max(0, Math.round((Date.now() - at) / 1000)))
    await call(chatApi.read, { params: { threadId }, body: { upTo, secondsAgo } }, { signal, retries: 0 }).catch(
      (error: { status?: number }) => {
        // a thread that is not this person's any more has nobody to tell
        if (error.status !== 404) throw error
      },
    )
    await chat.tookRead(threadId, upTo)
  }
}

/** Tells what was read here, and loads what this phone does not have. */
const syncChat = async (chat: Chat, signal: AbortSignal, onlyLooks: boolean): Promise<string> => {
  await chat.loaded
  if (!onlyLooks) await tellReads(chat, signal)
  const { items } = await call(chatApi.threads, {}, { signal, retries: 0 })
  for (const thread of items.filter((one) => isStale(chat.get(), one))) {
    const page = await call(
      chatApi.messages,
      { params: { threadId: thread.id }, query: { limit: chat.get().messages[thread.id] ? few : keptOnPhone } },
      { signal, retries: 0 },
    )
    await chat.saveThread(page.thread, page.items)
  }
  await chat.saveThreads(items)
  return new Date().toISOString()
}

/** Keeps the conversations of this person on the phone while any crew screen is open. */
export const useChatSync = () => {
  const user = useUser()
  const onlyLooks = useOnlyLooks()
  const chat = chatOf(user._id)
  return useQuery({
    queryKey: ['chat', 'phone', user._id],
    queryFn: ({ signal }) => syncChat(chat, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]), onlyLooks),
    enabled: user.role === 'Employee',
    refetchInterval: 120_000,
    meta: { live: { topics: ['chat'] } },
  })
}

/** Tells right away what was read; without a signal it is told with the next look. */
export const noteRead = async (chat: Chat, threadId: string, upTo: number): Promise<void> => {
  await chat.noteRead(threadId, upTo, Date.now())
  await tellReads(chat, AbortSignal.timeout(patienceMs)).catch(() => undefined)
}

import { type IDBPDatabase, openDB } from 'idb'
import { isTourPath } from '../../../../shared/tour.ts'
import type { ChatMessage, ChatThread } from '../../../chat/contract.ts'
import { type ChatKept, emptyChat, keepPage, unreadTotal } from '../../chat/rules.ts'
import { unread } from './unread.ts'

export type ChatStore = {
  load: (userId: string) => Promise<ChatKept | undefined>
  save: (userId: string, kept: ChatKept) => Promise<void>
}

const open = (): Promise<IDBPDatabase> =>
  openDB('swath-chat', 1, {
    upgrade: (made) => void made.createObjectStore('kept'),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

/** A database of its own: the outbox is read again at every tap, and need not carry the conversations along. */
const browserStore = (): ChatStore => {
  let opening: Promise<IDBPDatabase> | null = null
  const db = () => {
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  return {
    load: async (userId) => (await db()).get('kept', userId),
    save: async (userId, kept) => void (await (await db()).put('kept', kept, userId)),
  }
}

const memory = new Map<string, ChatKept>()
const memoryStore = (): ChatStore => ({
  load: async (userId) => memory.get(userId),
  save: async (userId, kept) => void memory.set(userId, kept),
})

export type ChatState = ChatKept & { ready: boolean }

/** The conversations of a person on this phone: shown from here, with and without a signal. */
export const createChat = (userId: string, store: ChatStore) => {
  let state: ChatState = { ...emptyChat, ready: false }
  const listeners = new Set<() => void>()
  const become = (change: Partial<ChatState>): void => {
    state = { ...state, ...change }
    unread.set(unreadTotal(state))
    for (const listener of listeners) listener()
  }
  const loaded = store
    .load(userId)
    .catch(() => undefined)
    .then((kept) => become({ ...(kept ?? emptyChat), ready: true }))
  /** What the phone cannot write is on the screen all the same, and comes again with the next signal. */
  const keep = (change: Partial<ChatKept>): Promise<void> => {
    become(change)
    const { threads, messages, reads } = state
    return store.save(userId, { threads, messages, reads }).catch(() => undefined)
  }
  const put = (threadId: string, fresh: readonly ChatMessage[]) => ({
    ...state.messages,
    [threadId]: keepPage(state.messages[threadId] ?? [], fresh),
  })
  return {
    userId,
    loaded,
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** A page of a thread, and the thread as it stood then. */
    saveThread: (thread: ChatThread, fresh: readonly ChatMessage[]) => {
      const others = state.threads.filter(({ id }) => id !== thread.id)
      return keep({ threads: [...others, thread], messages: put(thread.id, fresh) })
    },
    /** Which threads there are now, in their order; one whose messages did not come keeps the state in which it was last loaded. */
    saveThreads: (threads: readonly ChatThread[]) => {
      const ids = new Set(threads.map(({ id }) => id))
      return keep({
        threads: threads.map((thread) => {
          const known = state.threads.find(({ id }) => id === thread.id)
          return { ...thread, version: known?.version ?? -1 }
        }),
        messages: Object.fromEntries(Object.entries(state.messages).filter(([id]) => ids.has(id))),
      })
    },
    /** What the server answered to what this phone sent. */
    put: async (said: ChatMessage) => {
      await loaded
      await keep({ messages: put(said.threadId, [said]) })
    },
    /** Its person leaves this phone: the conversations go; what they have read and the office has not heard of stays. */
    forget: async () => {
      await loaded
      await keep({ threads: [], messages: {} })
    },
    noteRead: (threadId: string, upTo: number, at: number) =>
      keep({ reads: { ...state.reads, [threadId]: { upTo, at } } }),
    tookRead: (threadId: string, upTo: number) => {
      const { [threadId]: read, ...others } = state.reads
      if (!read || read.upTo > upTo) return
      const threads = state.threads.map((one) =>
        one.id === threadId && one.lastNumber <= upTo ? { ...one, unreadCount: 0 } : one,
      )
      return keep({ reads: others, threads })
    },
  }
}

export type Chat = ReturnType<typeof createChat>

const chats = new Map<string, Chat>()

/** The one chat of a person on this phone; on the tour it is gone with the tab. */
export const chatOf = (userId: string): Chat => {
  const known = chats.get(userId)
  if (known) return known
  const made = createChat(userId, isTourPath(window.location.pathname) ? memoryStore() : browserStore())
  chats.set(userId, made)
  return made
}

export const forgetChat = (userId: string): Promise<void> => chatOf(userId).forget()

/** The conversations of these people. */
export const forgetOtherChats = async (isGone: (userId: string) => boolean): Promise<void> => {
  const db = await open()
  const tx = db.transaction('kept', 'readwrite')
  for (const key of await tx.store.getAllKeys()) {
    if (!isGone(String(key))) continue
    const { reads = {} } = ((await tx.store.get(key)) ?? {}) as Partial<ChatKept>
    if (Object.keys(reads).length > 0) await tx.store.put({ ...emptyChat, reads }, key)
    else await tx.store.delete(key)
  }
  await tx.done
  db.close()
}

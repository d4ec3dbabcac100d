import type { ChatMessage, ChatThread } from '../../chat/contract.ts'
import { keptOnPhone } from '../../chat/rules.ts'
import { type CrewCommand, onOurClock } from '../rules.ts'

/** What of the chat is on a phone without a signal. */
export type ChatKept = {
  threads: ChatThread[]
  /** The newest of each thread, newest first. */
  messages: Record<string, ChatMessage[]>
  /** What was read and not told to the server yet: up to which message, and when (milliseconds). */
  reads: Record<string, { upTo: number; at: number }>
}

export const emptyChat: ChatKept = { threads: [], messages: {}, reads: {} }

/** Newest first, each once; of two answers about one message the later counts, which `fresh` is. */
export const mergeMessages = (known: readonly ChatMessage[], fresh: readonly ChatMessage[]): ChatMessage[] =>
  [...new Map([...known, ...fresh].map((message) => [message.id, message])).values()].sort(
    (a, b) => b.number - a.number,
  )

/**
 * What a phone keeps after a page of a thread came: with what it knew before where both touch, else only the page, so that nothing is missing in
 * between.
 */
export const keepPage = (known: readonly ChatMessage[], fresh: readonly ChatMessage[]): ChatMessage[] => {
  const oldest = fresh.at(-1)?.number ?? 0
  const touches = known.length === 0 || known.some(({ number }) => number >= oldest)
  return mergeMessages(touches ? known : [], fresh).slice(0, keptOnPhone)
}

/** Whether a phone has to load a thread again to show what the server has. */
export const isStale = (kept: ChatKept, thread: ChatThread): boolean =>
  thread.lastNumber > 0 &&
  (kept.messages[thread.id] === undefined ||
    kept.threads.find(({ id }) => id === thread.id)?.version !== thread.version)

/** What nobody has read yet on this phone, with what was read here and is not told to the server so far. */
export const unreadOf = (kept: ChatKept, thread: ChatThread): number => {
  const read = kept.reads[thread.id]
  return read && read.upTo >= thread.lastNumber ? 0 : thread.unreadCount
}

export const unreadTotal = (kept: ChatKept): number =>
  kept.threads.reduce((sum, thread) => sum + unreadOf(kept, thread), 0)

export type LineState = 'sent' | 'sending' | 'waiting' | 'refused'

/** A message as the phone shows it; without a number it has not reached the server. */
export type ChatLine = Omit<ChatMessage, 'number' | 'arrivedAt' | 'threadId'> & {
  number: number | null
  mine: boolean
  state: LineState
  reason: string | null
}

type Queued = { command: CrewCommand; state: 'waiting' | 'attention' | 'answered'; reason: string | null }

/**
 * A thread as the phone shows it, oldest first: what the server has, and after it what this phone has not sent, in the order of writing.
 * @param visitOf the street and day of a visit on this phone
 */
export const linesOf = (
  threadId: string,
  messages: readonly ChatMessage[],
  queued: readonly Queued[],
  {
    userId,
    sending,
    visitOf,
  }: { userId: string; sending: boolean; visitOf: (visitId: string) => ChatMessage['visit'] },
): ChatLine[] => {
  const there = new Set(messages.map(({ id }) => id))
  return [
    ...messages.toReversed().map(
      (message): ChatLine => ({
        ...message,
        mine: message.by.id === userId,
        state: 'sent',
        reason: null,
      }),
    ),
    ...queued
      .filter(({ command }) => command.payload.threadId === threadId && !there.has(command.id))
      .map(({ command, state, reason }): ChatLine => {
        const { id, at, payload } = onOurClock(command)
        return {
          id,
          number: null,
          text: payload.text ?? '',
          by: { id: userId, name: '', office: false },
          at,
          visit: payload.aboutVisitId ? visitOf(payload.aboutVisitId) : null,
          photos: (payload.photoIds ?? []).map((photoId) => ({ id: photoId, url: null })),
          readBy: [],
          readCount: 0,
          mine: true,
          state: state === 'attention' ? 'refused' : sending ? 'sending' : 'waiting',
          reason,
        }
      }),
  ]
}

import type { ChatThread } from '../contract.ts'

/** What a thread is called in the office. */
export const threadName = ({ kind, name }: Pick<ChatThread, 'kind' | 'name'>): string =>
  kind === 'everybody' ? 'Everybody' : name

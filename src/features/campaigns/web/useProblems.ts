import { useState } from 'react'
import { type Content, type ContentProblem, contentProblems } from '../content/rules.ts'
import type { Campaign } from '../contract.ts'
import type { Draft } from './useDraft.ts'

/** Whether something stands in a field: what is wrong with it then was typed, not merely missing. */
const isFilled = (content: Content, path: string): boolean => {
  const [, ...keys] = path.split('.')
  const found = keys.reduce<unknown>((of, key) => (of as Record<string, unknown> | undefined)?.[key], content)
  return typeof found === 'string' && found.trim() !== ''
}

export type Problems = {
  /** What keeps it from leaving as it is typed now. */
  all: readonly ContentProblem[]
  /** Of a field, once it was left or sending was tried: nobody is told that a field is empty before they came to it. */
  of: (path: string) => string | undefined
  leave: (path: string) => void
  /** Fields from here on were taken out or stand for others: they were not left. */
  forget: (prefix: string) => void
  /** Sending was tried: all of it is said. */
  tell: () => void
}

/** What is wrong with the words of a campaign, by what stands in its fields this moment and not when it was saved last. */
export const useProblems = (campaign: Campaign, draft: Draft, refused: readonly ContentProblem[]): Problems => {
  const all = contentProblems(campaign.channel, draft.content, draft.test !== null, campaign.surroundings)
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(all.map(({ path }) => path).filter((path) => isFilled(draft.content, path))),
  )
  const [tried, setTried] = useState(false)
  return {
    all,
    of: (path) =>
      (
        refused.find((one) => one.path === path) ??
        (tried || left.has(path) ? all.find((one) => one.path === path) : undefined)
      )?.message,
    leave: (path) => setLeft((before) => new Set([...before, path])),
    forget: (prefix) => setLeft((before) => new Set([...before].filter((path) => !path.startsWith(prefix)))),
    tell: () => setTried(true),
  }
}

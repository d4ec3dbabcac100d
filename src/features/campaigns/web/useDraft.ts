import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { type Content, isChosen, type Words } from '../content/rules.ts'
import type { Campaign } from '../contract.ts'
import { type Condition, isWhole } from '../segments/rules.ts'
import { useCampaigns } from './data.ts'

/** What is written of a campaign that has not begun. */
export type Draft = {
  name: string
  conditions: Condition[]
  content: Content
  test: Campaign['test']
  holdoutPercent: number
  perHour: number
  leaveOutRecent: boolean
}

const draftOf = (campaign: Campaign): Draft => ({
  name: campaign.name,
  conditions: campaign.conditions as Condition[],
  content: campaign.content,
  test: campaign.test,
  holdoutPercent: campaign.holdoutPercent,
  perHour: campaign.perHour,
  leaveOutRecent: campaign.leaveOutRecent,
})

const keys = ['name', 'conditions', 'content', 'test', 'holdoutPercent', 'perHour', 'leaveOutRecent'] as const

const whole = (words: Words): Words => ({ ...words, blocks: words.blocks.filter(isChosen) })

/** What a save sends: conditions and pictures that were begun and say nothing yet wait. */
const sendable = (draft: Draft): Draft => ({
  ...draft,
  conditions: draft.conditions.filter(isWhole),
  content: { en: whole(draft.content.en), es: whole(draft.content.es) },
})

const changed = (from: Draft, to: Draft): Partial<Draft> =>
  Object.fromEntries(
    keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key])).map((key) => [key, to[key]]),
  )

type Problem = { path: string; message: string }
const pauseMs = 700

/** A campaign that saves itself while it is written. What the server refuses stays on the screen and says why. */
export const useDraft = (campaign: Campaign) => {
  const { update } = useCampaigns()
  const [draft, setDraft] = useState(() => draftOf(campaign))
  const saved = useRef(sendable(draftOf(campaign)))
  const version = useRef(campaign.version)
  const newest = useRef(draft)
  const running = useRef<Promise<boolean> | null>(null)
  const [refused, setRefused] = useState<Problem[]>([])
  const [failed, setFailed] = useState<Error | null>(null)
  const [isSaved, setIsSaved] = useState(true)
  const mutate = update.mutateAsync

  const save = useCallback(async (): Promise<boolean> => {
    // one after the other: each says the version that the one before it made
    await running.current
    const mine = sendable(newest.current)
    const changes = changed(saved.current, mine)
    if (Object.keys(changes).length === 0) {
      setIsSaved(true)
      return true
    }
    const sending = mutate({ id: campaign.id, version: version.current, ...changes }).then(
      (answer) => {
        version.current = answer.version
        saved.current = mine
        setRefused([])
        setFailed(null)
        setIsSaved(Object.keys(changed(mine, sendable(newest.current))).length === 0)
        return true
      },
      (error: Error) => {
        const errors = error instanceof ApiError ? error.errors : []
        setRefused(errors.map(({ path, message }) => ({ path: path.replace(/^body\./, ''), message })))
        setFailed(errors.length > 0 ? null : error)
        return false
      },
    )
    running.current = sending
    return sending
  }, [campaign.id, mutate])

  const change = (changes: Partial<Draft>): void => {
    newest.current = { ...newest.current, ...changes }
    setDraft(newest.current)
    setIsSaved(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save follows what is typed, when it rests for a moment
  useEffect(() => {
    if (isSaved) return
    const waiting = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(waiting)
  }, [draft])

  // what others changed, or a verb did, comes in while nothing is being typed
  useEffect(() => {
    if (campaign.version <= version.current || !isSaved) return
    version.current = campaign.version
    newest.current = draftOf(campaign)
    saved.current = sendable(newest.current)
    setDraft(newest.current)
  }, [campaign, isSaved])

  // what was typed in the last moment is saved with the screen that goes away
  const last = useRef(save)
  last.current = save
  useEffect(() => () => void last.current(), [])

  return {
    draft,
    change,
    /** Saves what is not saved yet. @returns whether all of it is */
    save,
    isSaved,
    /** What the server does not take, by field. */
    refused,
    /** The save did not get through, or somebody else changed it. */
    failed,
    version: () => version.current,
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../../shared/client.ts'
import { changedFields } from '../../../ui/saveOver.ts'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import type { Content, Words } from '../content/rules.ts'
import { type Campaign, campaignsApi } from '../contract.ts'
import { type Condition, conditionLabel, isWhole } from '../segments/rules.ts'
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

/** What a save sends: conditions that were begun and say nothing yet wait. */
const sendable = (draft: Draft): Draft => ({ ...draft, conditions: draft.conditions.filter(isWhole) })

const read = (campaign: Campaign): Draft => sendable(draftOf(campaign))

const inOneLine = ({ subject, blocks, text }: Words): string =>
  [subject, ...blocks.map((block) => ('text' in block ? block.text : 'label' in block ? block.label : '')), text]
    .filter(Boolean)
    .join(' · ')
    .slice(0, 200)

const words: FieldWords<Draft> = {
  name: 'Name of the campaign',
  conditions: {
    label: 'Who gets it',
    show: (list) => list.map((one) => conditionLabel(one, new Map())).join('; ') || 'Everybody who is not archived',
  },
  content: { label: 'What it says', show: ({ en, es }) => [inOneLine(en), inOneLine(es)].filter(Boolean).join(' / ') },
  test: {
    label: 'Two subjects',
    show: (test) => (test ? `${test.percent}% for ${test.hours} hours, by ${test.by}` : 'No'),
  },
  holdoutPercent: { label: 'Held out', show: (percent) => `${percent}%` },
  perHour: { label: 'Rate', show: (rate) => `${rate.toLocaleString('en-US')} an hour` },
  leaveOutRecent: 'Leave out who had a campaign in the last 7 days',
}

type Problem = { path: string; message: string }
const pauseMs = 700

/**
 * What the screen shows after a save over what others changed: their fields come in, those that are typed in meanwhile stay.
 * @param sent as it was typed when the save began
 */
const withTheirs = (typed: Draft, sent: Draft, saved: Draft): Draft => {
  const typedSince = Object.keys(changedFields(sendable(sent), sendable(typed)))
  const differing = Object.entries(changedFields(sendable(typed), saved)).filter(([key]) => !typedSince.includes(key))
  return { ...typed, ...Object.fromEntries(differing) }
}

/**
 * A campaign that saves itself while it is written. What the server refuses stays on the screen and says why; where somebody else changed the same
 * field the person chooses.
 */
export const useDraft = (campaign: Campaign) => {
  const { update } = useCampaigns()
  const [draft, setDraft] = useState(() => draftOf(campaign))
  const version = useRef(campaign.version)
  const newest = useRef(draft)
  const running = useRef<Promise<boolean> | null>(null)
  const [refused, setRefused] = useState<Problem[]>([])
  const [failed, setFailed] = useState<Error | null>(null)
  const [isSaved, setSaved] = useState(true)
  // a link that is followed asks at once, before the screen was drawn again
  const saved = useRef(true)
  const dropped = useRef(false)
  const setIsSaved = useCallback((next: boolean): void => {
    saved.current = next
    setSaved(next)
  }, [])
  const mutate = update.mutateAsync
  const show = useCallback((next: Draft): void => {
    newest.current = next
    setDraft(next)
  }, [])
  const versioned = useVersioned<Campaign, Draft>({
    record: campaign,
    read,
    load: () => call(campaignsApi.get, { params: { id: campaign.id } }),
    words,
    live: {
      dirty: !isSaved || draft.conditions.some((one) => !isWhole(one)),
      // what others changed, or a verb did, comes in while nothing is being typed
      fill: (now) => {
        if (now.version <= version.current) return
        version.current = now.version
        show(draftOf(now))
      },
    },
  })
  const over = useRef(versioned)
  over.current = versioned

  const saveTyped = useCallback(async (): Promise<boolean> => {
    const typed = newest.current
    const mine = sendable(typed)
    let [asked, done] = [false, false]
    try {
      await over.current.save(mine, async (changes, before, also) => {
        asked = true
        const theirs = also === '' ? null : before
        if (Object.keys(changes).length === 0) {
          // nothing is left to save: nothing was typed, or theirs was chosen throughout
          if (theirs) {
            version.current = theirs.version
            show(withTheirs(newest.current, typed, read(theirs)))
            over.current.reopen(theirs)
          }
          done = true
          return
        }
        const answer = await mutate({ id: campaign.id, version: before.version, ...changes })
        version.current = answer.version
        if (theirs) show(withTheirs(newest.current, typed, read(answer)))
        // as it was typed: what the server tidies in it is no change of anybody
        over.current.reopen(theirs ? answer : { ...answer, ...mine })
        done = true
      })
    } catch (error) {
      const errors = error instanceof ApiError ? error.errors : []
      setRefused(errors.map(({ path, message }) => ({ path: path.replace(/^body\./, ''), message })))
      setFailed(errors.length > 0 ? null : (error as Error))
      return false
    }
    if (asked && !done) {
      setFailed(new Error('Others changed the same, and nothing was chosen yet. What you typed is still here.'))
      return false
    }
    setRefused([])
    setFailed(null)
    setIsSaved(Object.keys(changedFields(mine, sendable(newest.current))).length === 0)
    return true
  }, [campaign.id, mutate, show, setIsSaved])

  const save = useCallback((): Promise<boolean> => {
    // one after the other: each goes over what the one before it made
    const next = (running.current ?? Promise.resolve(true)).then(saveTyped)
    running.current = next
    return next
  }, [saveTyped])

  const change = (changes: Partial<Draft>): void => {
    show({ ...newest.current, ...changes })
    // what an older answer said of a field is no answer to what stands in it now
    setRefused((before) => before.filter(({ path }) => !((path.split('.')[0] ?? '') in changes)))
    setIsSaved(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save follows what is typed, when it rests for a moment
  useEffect(() => {
    if (isSaved) return
    const waiting = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(waiting)
  }, [draft])

  // closing or reloading the tab would lose it: the browser asks first
  useEffect(() => {
    if (isSaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isSaved])

  // what was typed in the last moment is saved with the screen that goes away
  const last = useRef(save)
  last.current = save
  useEffect(
    () => () => {
      if (!saved.current) void last.current()
    },
    [],
  )

  return {
    draft,
    change,
    /** Saves what is not saved yet. @returns whether all of it is */
    save,
    /** Saves again after a failure, whose words leave the screen until the answer is there. */
    saveAgain: () => {
      setFailed(null)
      return save()
    },
    isSaved,
    /** As of this moment; a condition without a value is kept nowhere, either. */
    hasUnsaved: () => !dropped.current && (!saved.current || newest.current.conditions.some((one) => !isWhole(one))),
    /** What is not saved is not wanted any more. */
    drop: () => {
      dropped.current = true
      setIsSaved(true)
    },
    /** What the server does not take, by field. */
    refused,
    /** The save did not get through. */
    failed,
    version: () => version.current,
    /** Asks which answer to keep where two people changed the same. */
    dialog: versioned.dialog,
  }
}

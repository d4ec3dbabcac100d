import { type ReactNode, useEffect, useRef, useState } from 'react'
import { changedFields, type Source, saveOver } from './saveOver.ts'
import { type FieldWords, type Question, TwoAnswers } from './TwoAnswers.tsx'

type Options<T, V> = Source<T, V> & {
  /** As it stands now; it may change under an open form. Null while a new one is made. */
  record: T | null
  /** What the form calls its fields. */
  words: FieldWords<V>
  /** For a form that stays open: what others change comes into it while nothing is being typed. */
  live?: { dirty: boolean; fill: (record: T) => void }
}

/** `also` goes behind the word of success: empty, or that somebody else's changes are in it too. */
export type SendOver<T, V> = (changes: Partial<V>, over: T, also: string) => Promise<unknown>

/**
 * A form of a record that others change too: sends the version it was opened with and only the fields that were changed. What others changed
 * meanwhile stays; where both changed the same field the person chooses, and a save that was not chosen for loses nothing typed.
 */
export const useVersioned = <T extends { version: number }, V extends object>(options: Options<T, V>) => {
  const { record, words, live, read } = options
  const [opened, setShown] = useState(record)
  // a save that follows another before the screen was drawn again goes over what that one made
  const newest = useRef(record)
  const setOpened = (next: T | null): void => {
    newest.current = next
    setShown(next)
  }
  const [question, setQuestion] = useState<Question<T, V> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only news from the server, or the end of typing, begins this
  useEffect(() => {
    if (!live || live.dirty || !record || record === opened || record.version < (opened?.version ?? 0)) return
    setOpened(record)
    live.fill(record)
  }, [record, live?.dirty])

  const save = async (typed: V, send: SendOver<T, V>): Promise<void> => {
    const from = newest.current
    if (!from) throw new Error('a new record has nothing that it was opened with')
    // a switch beside the form, or the second press of the same button, brought nothing that the form does not show
    const isElsewhere = (over: T): boolean =>
      Object.keys(changedFields(typed, changedFields(read(from), read(over)) as V)).length > 0
    const store = (changes: Partial<V>, over: T) =>
      send(changes, over, isElsewhere(over) ? ', with what was changed elsewhere meanwhile' : '')
    const clash = await saveOver(options, from, changedFields(read(from), typed), store)
    if (!clash) return
    await new Promise<void>((resolve, reject) => {
      setQuestion({
        clash,
        saveOver: (theirs, mine) => saveOver(options, theirs, mine, store),
        end: (error) => {
          setQuestion(null)
          if (error === undefined) resolve()
          else reject(error)
        },
      })
    })
  }
  const dialog: ReactNode = question ? <TwoAnswers question={question} read={read} words={words} /> : null
  return {
    /** The record as it was when the form was filled. */
    opened,
    save,
    /** Stands beside the form. */
    dialog,
    /** For a form that comes back with what was typed over an older record. */
    reopen: setOpened,
    /** After a save of a form that stays open. */
    refill: (saved: T) => {
      setOpened(saved)
      live?.fill(saved)
    },
  }
}

import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { changedFields } from './saveOver.ts'

/** What was typed into a form that is off the screen now, what that form was filled with, and the record that it was opened with. */
export type Draft<V, R = unknown> = { base: V; mine: Partial<V>; record: R }

let owner: string | undefined
const drafts = new Map<string, Draft<object>>()
const works = new Map<string, unknown>()
let unsaved: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

/** Reloading or closing the tab would lose it: the browser asks first. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

const put = (ids: readonly string[]) => {
  unsaved = new Set(ids)
  if (unsaved.size > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}

const mark = (id: string, on: boolean) => {
  if (unsaved.has(id) === on) return
  put(on ? [...unsaved, id] : [...unsaved].filter((one) => one !== id))
  for (const listener of listeners) listener()
}

/** Drafts are one person's: those of whoever was signed in before are forgotten. Call it before the forms are drawn. */
export const keepDraftsOf = (userId: string): void => {
  if (owner === userId) return
  owner = userId
  drafts.clear()
  works.clear()
  put([])
}

const follow = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Forms with something typed that is not saved, on the screen or not. */
export const useUnsaved = (): ReadonlySet<string> => useSyncExternalStore(follow, () => unsaved)

/** Puts typed values into a form as a person would: they count as changed. */
export const typeInto = <V extends FieldValues>(form: UseFormReturn<V>, mine: Partial<V>): void => {
  for (const [field, value] of Object.entries(mine))
    form.setValue(field as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true })
}

type Options<V extends FieldValues, R> = {
  form: UseFormReturn<V>
  /** What the form was filled with. */
  base: () => V
  /** The record whose version goes along with a save. */
  record?: R
  /** Puts a draft back; by default what was typed goes into its fields. */
  restore?: (draft: Draft<V, R>) => void
}

/**
 * Keeps what is typed into a form while the person looks at another screen, and gives it back when the form returns.
 * @returns to be called when what was typed is saved: the form may be off the screen by then
 */
export const useDraft = <V extends FieldValues, R = unknown>(
  id: string,
  { form, base, record, restore = ({ mine }) => typeInto(form, mine) }: Options<V, R>,
): (() => void) => {
  const { isDirty } = form.formState
  useEffect(() => mark(id, isDirty), [id, isDirty])
  const latest = useRef({ base, record, restore })
  latest.current = { base, record, restore }
  useEffect(() => {
    const draft = drafts.get(id)
    if (draft) latest.current.restore(draft as Draft<V, R>)
    return () => {
      const opened = latest.current.base()
      const mine = changedFields(opened, form.getValues())
      if (Object.keys(mine).length > 0) drafts.set(id, { base: opened, mine, record: latest.current.record })
      else drafts.delete(id)
    }
  }, [id, form])
  return useCallback(() => {
    drafts.delete(id)
    mark(id, false)
  }, [id])
}

/** What was begun and not saved when its screen was left, or null. */
export const keptWork = <W>(id: string): W | null => (works.get(id) as W | undefined) ?? null

/**
 * Keeps work that is no form of fields while the person looks at another screen; closing or reloading the tab asks first.
 * The screen begins with `keptWork(id)`.
 * @param work what is not saved, null when all is
 */
export const useKeptWork = <W>(id: string, work: W | null): void => {
  const unsavedWork = work !== null
  useEffect(() => mark(id, unsavedWork), [id, unsavedWork])
  const latest = useRef(work)
  latest.current = work
  useEffect(
    () => () => {
      if (latest.current === null) works.delete(id)
      else works.set(id, latest.current)
    },
    [id],
  )
}

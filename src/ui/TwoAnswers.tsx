import { type ReactNode, useState } from 'react'
import { ApiError, serverMessage } from '#src/shared/client.ts'
import { useAsking } from './asking.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import './ConfirmDialog.css'
import { Dialog } from './Dialog.tsx'
import { RadioField } from './RadioField.tsx'
import type { Clash } from './saveOver.ts'
import './TwoAnswers.css'

/** The label of each field, with a way to write its value where the plain one says too little. */
export type FieldWords<V> = { [K in keyof V]-?: string | { label: string; show: (value: V[K]) => ReactNode } }

/** Writes a chosen value as its choice is called. */
export const labelIn =
  (options: readonly { value: string; label: string }[]) =>
  (value: string): string | undefined =>
    options.find((option) => option.value === value)?.label

export type Question<T, V> = {
  clash: Clash<T, V>
  /** Saves what was chosen over theirs; gives the next question when somebody was quicker once more. */
  saveOver: (theirs: T, mine: Partial<V>) => Promise<Clash<T, V> | null>
  /** Back to the form: saved, or given up, or with what the server refused. */
  end: (error?: unknown) => void
}

type Side = 'theirs' | 'mine'

const plain = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <i>empty</i>
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

type Props<T, V> = { question: Question<T, V>; read: (record: T) => V; words: FieldWords<V> }

/** Two people changed the same fields: their answer and one's own stand side by side, and nothing is chosen beforehand. */
export const TwoAnswers = <T extends object, V extends object>({ question, read, words }: Props<T, V>) => {
  useAsking()
  const [clash, setClash] = useState(question.clash)
  const [chosen, setChosen] = useState<Partial<Record<keyof V, Side>>>({})
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const theirs = read(clash.theirs)
  const { fields, mine } = clash
  const choose = (field: keyof V, side: Side) => setChosen((before) => ({ ...before, [field]: side }))
  const labelOf = (field: keyof V): string => {
    const word = words[field]
    return typeof word === 'string' ? word : word.label
  }
  const show = <K extends keyof V>(field: K, value: V[K]): ReactNode => {
    const word = words[field]
    return typeof word === 'string' ? plain(value) : word.show(value) || plain(null)
  }

  const save = async () => {
    setAsked(true)
    if (fields.some((field) => !chosen[field])) return
    setBusy(true)
    setProblem(null)
    try {
      const kept = Object.fromEntries(
        Object.entries(mine).filter(([field]) => chosen[field as keyof V] !== 'theirs'),
      ) as Partial<V>
      const next = await question.saveOver(clash.theirs, kept)
      if (!next) return question.end()
      setChosen({})
      setAsked(false)
      setClash(next)
    } catch (error) {
      // What is wrong with a field is put right in the form.
      if (error instanceof ApiError && error.errors.length > 0) return question.end(error)
      setProblem(serverMessage(error, 'This did not work. What you typed is still here; please try again.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={busy ? () => undefined : () => question.end()}
      title="This was changed meanwhile"
      closeOnOutside={false}
    >
      <div className="ui-confirm">
        <p className="muted">
          {fields.length === 1
            ? 'While you were typing, another answer was saved here: by somebody else, or by you in another window. Choose the one to keep.'
            : 'While you were typing, other answers were saved here: by somebody else, or by you in another window. Choose the ones to keep.'}{' '}
          Everything else that was changed is kept.
        </p>
        {fields.map((field) => (
          <RadioField<Side>
            key={String(field)}
            className="ui-answers"
            label={labelOf(field)}
            value={chosen[field] ?? null}
            onChange={(side) => choose(field, side)}
            error={asked && !chosen[field] ? 'Choose which one to keep.' : undefined}
            options={[
              {
                value: 'theirs',
                label: (
                  <>
                    <b>Saved</b> <span className="ui-answers__value">{show(field, theirs[field])}</span>
                  </>
                ),
              },
              {
                value: 'mine',
                label: (
                  <>
                    <b>Typed here</b>{' '}
                    <span className="ui-answers__value">{show(field, mine[field] as V[typeof field])}</span>
                  </>
                ),
              },
            ]}
          />
        ))}
        {problem ? <Banner tone="error">{problem}</Banner> : null}
        <div className="ui-confirm__actions">
          <Button onClick={() => question.end()} disabled={busy}>
            Back to the form
          </Button>
          <Button kind="primary" onClick={save} loading={busy}>
            Save what I chose
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
